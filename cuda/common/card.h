/*
 * card.h
 *	  A card: its properties and times.
 */
#ifndef TED_CARD_H
#define TED_CARD_H

#include <cuda_runtime.h>

#include "../../src/engine/device.h"

/* The properties of a card, and times measured on it. */
struct Card
{
	cudaDeviceProp properties;
	TedCalibration calibration;
};

#endif /* TED_CARD_H */

/*
 * card_tuning.cc
 *	  The knobs by which tests choose a way.
 */
#include "card_tuning.h"

bool ted_gpu_may_share = true;
double ted_gpu_strip_preference = 1;
double ted_gpu_list_preference = 1;

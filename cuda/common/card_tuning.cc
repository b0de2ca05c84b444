/*
 * card_tuning.cc
 *	  Settings by which tests and benchmarks choose a kernel.
 */
#include "card_tuning.h"

bool ted_gpu_may_share = true;
double ted_gpu_strip_preference = 1;
double ted_gpu_list_preference = 1;

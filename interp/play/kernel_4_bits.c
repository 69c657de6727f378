/* kernel_4.c for processors that count bits at once. */
#define KERNEL_BITS_HERE
#include "play/kernel_bits.h"
#ifdef KERNEL_BITS
#define WORDS 4
#define KERNEL kernel_4_bits
#include "play/kernel_width.inc"
#endif

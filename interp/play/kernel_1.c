/* The interpreted kernel for boards of up to 64 sites. */
#define WORDS 1
#define KERNEL_GAME kernel_game_1
#define KERNEL_API kernel_api_1
#include "play/kernel_width.inc"

/* The interpreted kernel for boards of up to 256 sites. */
#define WORDS 4
#define KERNEL_GAME kernel_game_4
#define KERNEL_API kernel_api_4
#include "play/kernel_width.inc"

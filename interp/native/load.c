/* Finding, compiling and loading machine code. */
#include "native/native.h"

bool native_use(Kernel *kernel, bool cached_only, char *why, size_t room) {
  (void)kernel;
  (void)cached_only;
  snprintf(why, room, "this program was built without machine code");
  return false;
}

/* Makes recorded calls of kernels in a sealed library, and writes what each gives and leaves in memory.

   Usage: arm_calls LIBRARY CALLS RESULTS. First it writes the auxiliary vector's hardware bits. All numbers are
   64 bits, little-endian. A call: the name in 32 bytes, the number of arguments, and for each argument its kind
   (0: a number, 1: memory) and a number or the memory's size and bytes; see test_arm.py. */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define ARGUMENTS 48 /* more than any kernel takes: what is too much is not looked at */
#define EIGHT(what) what, what, what, what, what, what, what, what

typedef uint64_t number;
typedef number (*kernel)(EIGHT(number), EIGHT(number), EIGHT(number), EIGHT(number), EIGHT(number), EIGHT(number));

#define NEXT_EIGHT(i) \
    values[i], values[i + 1], values[i + 2], values[i + 3], values[i + 4], values[i + 5], values[i + 6], values[i + 7]

static void fail(const char *what, const char *which) {
    fprintf(stderr, "%s: %s\n", what, which);
    exit(1);
}

static int take(FILE *file, void *place, size_t size) { return fread(place, 1, size, file) == size; }

int main(int count, char **names) {
    if (count != 4) fail("usage", "arm_calls LIBRARY CALLS RESULTS");
    void *library = dlopen(names[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) fail("dlopen", dlerror());
    FILE *calls = fopen(names[2], "rb"), *results = fopen(names[3], "wb");
    if (!calls || !results) fail("cannot open", calls ? names[3] : names[2]);
    number hardware = getauxval(AT_HWCAP);
    fwrite(&hardware, sizeof hardware, 1, results);
    char name[33] = "";
    while (take(calls, name, 32)) {
        number length, values[ARGUMENTS] = {0}, sizes[ARGUMENTS] = {0};
        if (!take(calls, &length, 8) || length > ARGUMENTS) fail("too many arguments", name);
        for (number i = 0; i < length; i++) {
            number kind;
            if (!take(calls, &kind, 8) || !take(calls, &values[i], 8)) fail("cut short", name);
            if (kind == 0) continue;
            sizes[i] = values[i];
            void *memory = malloc(sizes[i]);
            if (!memory || !take(calls, memory, sizes[i])) fail("cut short", name);
            values[i] = (number)(uintptr_t)memory;
        }
        kernel function = (kernel)(uintptr_t)dlsym(library, name);
        if (!function) fail("no such kernel", name);
        number result = function(NEXT_EIGHT(0), NEXT_EIGHT(8), NEXT_EIGHT(16), NEXT_EIGHT(24), NEXT_EIGHT(32),
                                 NEXT_EIGHT(40));
        fwrite(&result, sizeof result, 1, results);
        for (number i = 0; i < length; i++) {
            if (!sizes[i]) continue;
            fwrite((void *)(uintptr_t)values[i], 1, sizes[i], results);
            free((void *)(uintptr_t)values[i]);
        }
    }
    return fclose(results) ? 1 : 0;
}

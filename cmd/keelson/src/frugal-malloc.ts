/**
 * Environment of a process that is idle most of the time: one arena of glibc's malloc for all threads, whose free end returns to the
 * system. An arena keeps the largest size that its threads ever needed.
 */
export const frugalMalloc = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "65536" };

/**
 * Returns allocations of 16 KiB and more to the system wherever they are. V8 briefly needs 700 MB to compile PostgreSQL's WebAssembly;
 * 70 MB of it would remain as gaps in the arena. A read of a socket costs a few microseconds more.
 */
export const mappedMalloc = { ...frugalMalloc, MALLOC_MMAP_THRESHOLD_: "16384" };

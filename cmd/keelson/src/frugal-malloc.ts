/**
 * Environment of a process that is idle most of the time, for glibc's malloc: one arena for all threads, whose free end returns to the
 * system. Allocations of 16 KiB and more return wherever they are. V8 briefly needs 700 MB to compile PostgreSQL's WebAssembly; 70 MB of
 * it would remain as gaps in the arena.
 */
export const frugalMalloc = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "65536",
  MALLOC_MMAP_THRESHOLD_: "16384",
};

/**
 * Environment for glibc's malloc in processes that are mostly idle: one arena for all threads. Its free end and allocations of 16 KiB
 * and more return to the system. V8 briefly needs 700 MB to compile PostgreSQL's WebAssembly, and 70 MB would remain as gaps.
 */
export const frugalMalloc = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "65536",
  MALLOC_MMAP_THRESHOLD_: "16384",
};

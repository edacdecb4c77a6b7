/** Addresses of the pod network 10.128.0.0/14. Each address belongs to at most one pod at a time. */
export class PodAddresses {
  readonly #byPod = new Map<string, string>();
  readonly #used = new Set<string>();
  #next = 2;

  /**
   * Returns the address of a pod. A pod that has no address receives the address `present`. If `present` is undefined or belongs
   * to a different pod, the pod receives a new address.
   */
  of(uid: string, present: string | undefined): string {
    const known = this.#byPod.get(uid);
    if (known) return known;
    const address = present && !this.#used.has(present) ? present : this.#free();
    this.#byPod.set(uid, address);
    this.#used.add(address);
    return address;
  }

  release(uid: string): void {
    const address = this.#byPod.get(uid);
    this.#byPod.delete(uid);
    if (address) this.#used.delete(address);
  }

  #free(): string {
    const size = 1 << 18;
    for (let tried = 0; tried < size; tried++) {
      const host = this.#next;
      this.#next = (this.#next + 1) % size;
      const address = `10.${128 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
      if ((host & 255) > 1 && !this.#used.has(address)) return address;
    }
    throw new Error("the pod network has no free address");
  }
}

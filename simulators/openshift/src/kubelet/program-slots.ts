/** All slots are taken for now. */
export class NoFreeSlot extends Error {}

/** How many programs of this machine the pods of a cluster may have running at a time. */
export class ProgramSlots {
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Runs a program in a slot, which is free again when it has ended. @throws NoFreeSlot */
  async run<R extends { readonly ended: Promise<unknown> }>(start: () => Promise<R>): Promise<R> {
    if (this.#free === 0) throw new NoFreeSlot();
    this.#free -= 1;
    const giveBack = () => {
      this.#free += 1;
    };
    try {
      const run = await start();
      void run.ended.then(giveBack);
      return run;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}

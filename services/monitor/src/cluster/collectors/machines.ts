import { stringAt } from "@keelson/base";
import { defineCollector } from "../collector.ts";
import { machineFacts } from "../machine-facts.ts";

export const machines = defineCollector({
  name: "emitMachineConditions",
  metrics: {
    "machine.phase": {
      help: "1 for each Machine. The dimension phase has its phase.",
      dimensions: ["machineName", "phase", "spotInstance", "role", "machineset"],
    },
    "machine.count": { help: "Number of Machines.", dimensions: [] },
  },
  async collect({ view, emit, explain }) {
    const all = await view.machines();
    for (const machine of all) {
      const phase = stringAt(machine, "status", "phase");
      if (phase === undefined) continue;
      const { isSpot, role, machineSet: machineset } = machineFacts(machine);
      const { name: machineName } = machine.metadata;
      const values = { machineName, phase, spotInstance: `${isSpot}`, role, machineset };
      emit("machine.phase", 1, values);
      explain({ metric: "machine.phase", ...values });
    }
    emit("machine.count", all.length, {});
  },
});

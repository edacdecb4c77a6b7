/** `make bench`: figures on standard output, each beside a yardstick measured in the same run. */
import { availableParallelism, cpus } from "node:os";
import process from "node:process";
import { benchApiServer } from "./apiserver/main.ts";
import { benchFleet } from "./fleet.ts";
import { benchFrontend, benchRp } from "./frontend.ts";
import { benchHostile } from "./hostile/main.ts";
import { benchMillion } from "./million.ts";
import { benchService } from "./service.ts";
import { benchSimOpenShift } from "./sim-openshift.ts";
import { benchStore } from "./store.ts";

const parts = {
  rp: benchRp,
  million: benchMillion,
  fleet: benchFleet,
  frontend: benchFrontend,
  store: benchStore,
  service: benchService,
  apiserver: () => benchApiServer(),
  "sim-openshift": benchSimOpenShift,
  hostile: () => benchHostile(options),
};
/** These take long. */
const onlyWhenNamed = ["million", "fleet", "hostile"];
const given = process.argv.slice(2);
const firstOption = given.findIndex((each) => each.startsWith("-"));
const wanted = firstOption < 0 ? given : given.slice(0, firstOption);
/** Of the part that is named. */
const options = firstOption < 0 ? [] : given.slice(firstOption);
process.stdout.write(
  `node ${process.versions.node}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? ""}\n\n`,
);
for (const [name, bench] of Object.entries(parts)) {
  if (wanted.length === 0 ? !onlyWhenNamed.includes(name) : wanted.includes(name)) await bench();
}

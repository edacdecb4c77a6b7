import { pod } from "./objects.ts";
import type { TourStep } from "./step.ts";

/** Commands about pods and their containers. */
export const podsTour: readonly TourStep[] = [
  { command: "create -f -", input: pod("talker", "for i in 1 2 3 4 5 6; do echo line $i; done; sleep 600") },
  { command: "wait --for=condition=Ready pod/talker --timeout=30s", says: /condition met/ },
  { command: "logs talker", says: /^line 1$[\s\S]*^line 6$/m },
  { command: "logs talker --tail=1", says: /^line 6\n?$/ },
  { command: "logs talker --since=1h --timestamps", says: /^\d{4}-\d\d-\d\dT\S+Z line 1$/m },
  { command: "logs talker --limit-bytes=6", says: /^line 1$/ },
  { command: "logs talker -c other", says: /container other is not valid for pod talker/, code: 1 },
  {
    command: "logs talker --previous",
    says: /previous terminated container "main" in pod "talker" not found/,
    code: 1,
  },
  { command: "create -f -", input: pod("brief", "echo begun; sleep 1; echo done") },
  { command: "wait --for=condition=Initialized pod/brief --timeout=30s", says: /condition met/ },
  { command: "logs -f --tail=5 brief", says: /^begun\ndone\n?$/ },
  { command: "exec talker -- echo hello", says: /^hello$/m },
  { command: "exec talker -- sh -c 'exit 7'", says: /exit code 7/, code: 7 },
  { command: "exec -i talker -- cat", input: "through and through", says: /^through and through$/ },
  {
    command: "exec talker -c nosuch -- true",
    says: /container (not found|nosuch is not valid)|nosuch/,
    code: 1,
  },
  { command: "cp FOLDER/object.json NS/talker:/tmp/object.json", says: /^$/ },
  { command: "exec talker -- cat /tmp/object.json", says: /"kept": true/ },
  { command: "cp NS/talker:/tmp/object.json FOLDER/again.json", saysNot: /error/i },
  { command: "attach brief", says: /completed pod|cannot attach|Succeeded|not running|terminated/i, code: 1 },
  {
    command: "run hasty --image=busybox --restart=Never --command -- sh -c 'exit 3'",
    says: /pod\/hasty created/,
  },
  {
    command: "run greeter --image=busybox --restart=Never --rm -i --command -- echo welcome",
    says: /welcome/,
  },
  {
    command: "get pod hasty -o 'jsonpath={.status.containerStatuses[0].state.terminated.exitCode}'",
    says: /^3$/,
  },
  { command: "annotate pod talker seen=yes", says: /annotated/ },
  { command: "delete pod talker --now", says: /pod "talker" deleted/ },
  { command: "delete pod brief hasty --grace-period=0 --force", says: /pod "brief" (force )?deleted/ },
  { command: "get pods --field-selector=status.phase=Running -o name", saysNot: /talker/ },
];

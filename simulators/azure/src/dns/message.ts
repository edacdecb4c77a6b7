import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  TRUNCATED_RESPONSE,
} from "dns-packet";
import { resolve } from "./resolve.ts";
import type { ZoneIndex } from "./zone-index.ts";

const headerBytes = 12;
/** UDP response size in bytes that all clients support. */
const smallUdp = 512;
/** Maximum UDP response size in bytes that avoids fragmentation. */
const largestUdp = 1_232;

/** EDNS options in responses to clients that use EDNS (RFC 6891). */
const ownOptions: Answer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: largestUdp,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

const codes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;
type Code = keyof typeof codes;

/**
 * Returns the response to a DNS message. Returns `undefined` if the message requires no response, for example because it is
 * itself a response.
 */
export function answerMessage(
  zones: ZoneIndex,
  message: Buffer,
  transport: "udp" | "tcp",
): Buffer | undefined {
  if (message.length < headerBytes || (message.readUInt8(2) & 0x80) !== 0) return undefined;
  const opcode = (message.readUInt8(2) >> 3) & 0x0f;
  if (opcode !== 0) return bare(message, "NOTIMP");
  const query = read(message);
  const [question, ...more] = query?.questions ?? [];
  if (!query || !question || more.length > 0) return bare(message, "FORMERR");
  const edns = query.additionals?.find((each) => each.type === "OPT");
  const resolution = resolve(zones, question.name, question.type);
  const isOurs = question.class === undefined || question.class === "IN" || question.class === "ANY";
  const { code, isAuthoritative, answers, authorities, additionals } = isOurs
    ? resolution
    : {
        ...resolution,
        code: "REFUSED" as const,
        isAuthoritative: false,
        answers: [],
        authorities: [],
        additionals: [],
      };
  const recursionDesired = (query.flags ?? 0) & 0x0100;
  const options: readonly Answer[] = edns ? [ownOptions] : [];
  const packet: Packet = {
    type: "response",
    id: query.id ?? 0,
    flags: recursionDesired | (isAuthoritative ? AUTHORITATIVE_ANSWER : 0) | codes[code],
    questions: [question],
    answers: [...answers],
    authorities: [...authorities],
    additionals: [...additionals, ...options],
  };
  const whole = encode(packet);
  const offered = edns?.type === "OPT" ? edns.udpPayloadSize : smallUdp;
  const limit = transport === "tcp" ? 65_535 : Math.max(smallUdp, Math.min(offered, largestUdp));
  if (whole.length <= limit) return whole;
  const cut = { ...packet, flags: (packet.flags ?? 0) | TRUNCATED_RESPONSE };
  return encode({ ...cut, answers: [], authorities: [], additionals: [...options] });
}

/** Returns an error response that consists of the header only. */
function bare(message: Buffer, code: Code): Buffer {
  const answer = Buffer.alloc(headerBytes);
  message.copy(answer, 0, 0, 2);
  // Copies the opcode and the flag RD (recursion desired).
  answer.writeUInt8(0x80 | (message.readUInt8(2) & 0x79), 2);
  answer.writeUInt8(codes[code], 3);
  return answer;
}

function read(message: Buffer): Packet | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type DnsServer = {
  /** Where it listens, as `SVC_DNS_SERVERS` takes it. */
  address: string;
  /** Sets the values of a name's TXT records, each as one text or in pieces. None removes the name. */
  set(name: string, ...values: (string | string[])[]): void;
  /** From now on, questions about the name are answered with a failure of the server, or not at all. */
  fail(name: string, how: 'refused' | 'silent'): void;
  /** How many questions about the name have arrived. */
  asked(name: string): number;
  close(): void;
};

const HEADER_BYTES = 12;
const TXT = 16;
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

/** A DNS server that knows TXT records only. It ends with the process. */
export async function startDns(): Promise<DnsServer> {
  const records = new Map<string, (string | string[])[]>();
  const failing = new Map<string, 'refused' | 'silent'>();
  const questions = new Map<string, number>();
  const socket = createSocket('udp4').unref();
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    questions.set(name, (questions.get(name) ?? 0) + 1);
    if (failing.get(name) === 'silent') return;
    const known = records.get(name);
    const code = failing.has(name) ? SERVER_FAILURE : known ? 0 : NAME_ERROR;
    const answers = code === 0 && type === TXT ? (known ?? []).map((value) => answerOf([value].flat())) : [];
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(answers.length, 6);
    header.fill(0, 8);
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set(name, ...values) {
      if (values.length > 0) records.set(name, values);
      else records.delete(name);
    },
    fail: (name, how) => void failing.set(name, how),
    asked: (name) => questions.get(name) ?? 0,
    close: () => void socket.close(),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A TXT record of the name in the question, in one or more pieces. */
function answerOf(pieces: string[]): Buffer {
  const data = Buffer.concat(pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)])));
  const fixed = Buffer.alloc(HEADER_BYTES);
  fixed.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  fixed.writeUInt16BE(TXT, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt32BE(60, 6);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}

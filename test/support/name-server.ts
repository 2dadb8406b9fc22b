import { createSocket } from 'node:dgram';

import { afterAll } from '@jest/globals';

import { service } from './service.ts';

/** A name server on loopback that responds to TXT, A and CNAME queries with the records of a test. */
export interface NameServer {
  /** The address as `host:port`, for GATEHOUSE_DNS_SERVER. */
  address: string;
  /** Publishes a TXT record. */
  text: (name: string, value: string) => void;
  /** Publishes an IPv4 address. */
  address4: (name: string, value: string) => void;
  /** Publishes a name as an alias of another (CNAME). */
  alias: (name: string, value: string) => void;
  clear: () => void;
  close: () => void;
}

const A = 1;
const CNAME = 5;
const TXT = 16;
const CLASS_IN = 1;
const NAME_ERROR = 3;

/** Starts a name server (RFC 1035) on a port, or on a free one. */
export async function startNameServer(port = 0): Promise<NameServer> {
  const records = new Map<string, Published[]>();
  const publish = (name: string, record: Published) =>
    void records.set(name.toLowerCase(), [...(records.get(name.toLowerCase()) ?? []), record]);
  const socket = createSocket('udp4');
  socket.on('message', (question, peer) => socket.send(respondTo(question, records), peer.port, peer.address));
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  socket.unref();
  return {
    address: `127.0.0.1:${socket.address().port}`,
    text: (name, value) => publish(name, { type: TXT, data: characterString(value) }),
    address4: (name, value) => publish(name, { type: A, data: Buffer.from(value.split('.').map(Number)) }),
    alias: (name, value) => publish(name, { type: CNAME, data: makeLabels(value) }),
    clear: () => records.clear(),
    close: () => void socket.close(),
  };
}

/** Encodes a domain name (RFC 1035 section 3.1). */
const makeLabels = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ]);

interface Published {
  type: number;
  data: Buffer;
}

function respondTo(question: Buffer, records: ReadonlyMap<string, readonly Published[]>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const asked = question.subarray(12, at + 5);
  const type = question.readUInt16BE(at + 1);
  const known = records.get(labels.join('.').toLowerCase());
  const found = (known ?? []).filter((record) => record.type === type);
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (known === undefined ? NAME_ERROR : 0), 2);
  header.writeUInt16BE(found.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, asked, ...found.map(resourceRecord)]);
}

/** A resource record whose name refers to the name in the question. */
function resourceRecord({ type, data }: Published): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(CLASS_IN, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Encodes a text for TXT records: preceded by its length. */
function characterString(value: string): Buffer {
  const text = Buffer.from(value, 'latin1');
  return Buffer.concat([Buffer.from([text.length]), text]);
}

let starting: Promise<NameServer> | undefined;
afterAll(async () => (await starting)?.close());

/** The name server of the worker's service, which is closed with the test file. */
export function nameServer(): Promise<NameServer> {
  starting ??= service().then(({ dnsPort }) => startNameServer(dnsPort));
  return starting;
}

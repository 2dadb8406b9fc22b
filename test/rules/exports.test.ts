import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, test } from '@jest/globals';

import { readList } from '../../functions/record/modules/exports/export/read.ts';
import { writeLines } from '../../functions/record/modules/exports/export/write.ts';
import { serveAt } from '../support/base-url.ts';

let server: Server | undefined;
/** The number of pages that were read. */
let pages = 0;

/** Serves a list with some records at the base URL, as the API does. */
async function serveList(total: number): Promise<void> {
  pages = 0;
  server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [from, limit] = [Number(searchParams.get('after') ?? 0), Number(searchParams.get('limit'))];
    const to = Math.min(total, from + limit);
    pages += 1;
    const data = Array.from({ length: to - from }, (_, at) => ({ id: String(from + at + 1) }));
    const body = { object: 'list', data, list_metadata: { before: null, after: to < total ? String(to) : null } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  serveAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

afterEach(() => {
  serveAt(undefined);
  server?.closeAllConnections();
  server?.close();
});

describe('the file of an export', () => {
  test.each([
    [50_000, 50_000, false, 500],
    [50_001, 50_000, true, 501],
    [60_000, 50_000, true, 501],
  ])('of %d records has %d of them, the oldest first, and is truncated: %s', async (total, rows, isTruncated, read) => {
    await serveList(total);
    const list = readList({ list: 'users', filter: {}, token: 'grant', isAllowed: async () => true });
    const chunks: Buffer[] = [];
    const write = async (bytes: Buffer) => chunks.push(bytes);
    const written = await writeLines({ pages: list, format: 'csv', columns: ['id'], write });
    const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
    expect([written, lines.length - 1, lines[1], lines.at(-1), pages]).toEqual([
      { rows, isTruncated },
      rows,
      '1',
      String(rows),
      read,
    ]);
  });
});

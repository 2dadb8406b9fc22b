import * as z from 'zod';

import { type Area, area } from '../../functions/kernel/area.ts';
import { apiKey } from '../../functions/kernel/authentication/api-key.ts';
import { notFound } from '../../functions/kernel/errors.ts';
import { messages } from '../../functions/kernel/http/error-response.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { type Operation, operation } from '../../functions/kernel/operation.ts';

export const Thing = z
  .object({ object: z.literal('thing'), id: z.string(), at: z.iso.datetime() })
  .meta({ id: 'Thing' });

export const read = operation({
  id: 'things.get',
  method: 'GET',
  path: '/things/{id}',
  summary: 'Get a thing',
  auth: apiKey,
  responses: { 200: Thing },
  errors: [notFound('thing')],
  emits: [],
  idempotency: 'none',
  handle: () => Promise.reject<never>(new Error('never called')),
});

export const variant = (changes: Partial<Operation>): Operation => ({ ...read, ...changes });
export const makeArea = (operations: Operation[], name = 'things', errorForm: Area['errorForm'] = messages): Area =>
  area({ name, group: 'any', summary: 'Things.', operations, workers: [], needs: [], errorForm });

/** The one operation of a document. */
// oxlint-disable-next-line typescript/no-explicit-any -- a document is read as a client reads it: as JSON.
export function described(changes: Partial<Operation>, errorForm?: Area['errorForm']): any {
  const own = variant(changes);
  const document = openApiDocument([makeArea([own], 'things', errorForm)]);
  return { ...document.paths[own.path]?.[own.method.toLowerCase()], document };
}

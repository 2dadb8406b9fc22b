import { expect } from '@jest/globals';

import type { CallResponse } from '../kernel/http/calls.ts';
import { type Described, findFaults, operations } from './described.ts';

export const withBody = operations.filter(({ operation }) => operation.body !== undefined);
export const withQuery = operations.filter(({ operation }) => operation.query !== undefined);
export const withParams = operations.filter(({ parameters }) => parameters.length > 0);

/** Operations with the names of their tests, for `describe.each`. */
export const named = (all: readonly Described[]): [string, Described][] => all.map((own) => [own.name, own]);

/** Expects a response as declared. An `expect` reads the stack, which for 30,000 responses was a tenth of the time, so only faults reach it. */
export const expectDeclared = (described: Described, response: CallResponse): void => {
  const faults = findFaults(described, response);
  if (faults.length > 0) expect(faults).toEqual([]);
};

/** The response to a bad request, which must be a declared 4xx. */
export async function expectRejection(described: Described, work: () => Promise<CallResponse>): Promise<CallResponse> {
  const response = await work();
  expectDeclared(described, response);
  if (response.status < 400 || response.status > 499) expect(response).toEqual('a response with a status of 4xx');
  return response;
}

export const json = (body: unknown) => (body === undefined ? {} : { body: JSON.stringify(body) });

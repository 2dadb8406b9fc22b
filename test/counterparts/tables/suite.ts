import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';

import { awaitAll } from '../../../functions/kernel/concurrency.ts';
import { callAws, type Engine } from '../../../lib/local/aws-call.ts';
import { AwsError } from '../../../lib/local/aws-json.ts';
import { RESERVED_WORDS } from '../../../lib/local/dynamodb/reserved-words.ts';
import { openEngine } from '../../../lib/local/table/store.ts';
import { dropTable, makeTable } from '../../../lib/local/table/tables.ts';
import { tables } from '../../../lib/topology/resources.ts';
import { compare, type Step, type Suite } from '../suite.ts';
import { calls, TableName } from './calls.ts';
import { startDynoxide } from './dynoxide.ts';

/** Sequences of 5 to 40 random calls. */
const SEQUENCES = 200;

/** An outcome of a call: the response, or the error's type with the reasons of a cancelled transaction. */
async function outcome(engine: Engine, operation: string, input: object): Promise<unknown> {
  try {
    return comparable(await callAws(engine, operation, input));
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.type !== 'TransactionCanceledException') return { error: error.type };
    return { error: error.type, codes: /\[([\w, ]+)\]$/.exec(error.message)?.[1] };
  }
}

/** A response without the order of a set's members. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      /^[SN]S$/.test(name) ? [...(held as string[])].sort() : comparable(held),
    ]),
  );
}

async function emptyTable(engine: Engine): Promise<void> {
  await dropTable(engine, TableName);
  for (const table of tables.filter(({ stream }) => stream)) await makeTable(engine, TableName, table, false);
}

/** The first sequence, as short as possible, whose last call has different outcomes. */
async function findDifference(own: Engine, other: Engine): Promise<Step> {
  const step = `${SEQUENCES} sequences of random calls have the same outcomes`;
  const property = fc.asyncProperty(fc.array(calls, { minLength: 5, maxLength: 40 }), async (sequence) => {
    await awaitAll([emptyTable(own), emptyTable(other)]);
    for (const [operation, input] of sequence) {
      const [found, wanted] = await awaitAll([outcome(own, operation, input), outcome(other, operation, input)]);
      if (!isDeepStrictEqual(found, wanted)) {
        throw new Error(JSON.stringify({ operation, input, found, wanted }));
      }
    }
  });
  const { failed, errorInstance, seed } = await fc.check(property, { numRuns: SEQUENCES });
  return failed ? { step, ok: false, why: `seed ${seed}: ${String(errorInstance)}` } : { step, ok: true };
}

/** Words that only one of the engines rejects as names of attributes. */
async function compareReservedWords(own: Engine, other: Engine): Promise<Step> {
  await awaitAll([emptyTable(own), emptyTable(other)]);
  const differ: string[] = [];
  for (const word of [...RESERVED_WORDS, 'holder', 'createdAt']) {
    const input = {
      TableName,
      Key: { pk: { S: 'a' }, sk: { S: '1' } },
      UpdateExpression: `SET ${word.toLowerCase()} = :a`,
      ExpressionAttributeValues: { ':a': { S: 'x' } },
    };
    const [found, wanted] = [await outcome(own, 'UpdateItem', input), await outcome(other, 'UpdateItem', input)];
    if (!isDeepStrictEqual(found, wanted)) differ.push(word);
  }
  return compare(`${RESERVED_WORDS.size} reserved words are rejected by both, and others accepted`, differ, []);
}

/** The comparison of the local table engine with dynoxide, which was written by others. */
export const tableEngine: Suite = {
  name: 'tables',
  title: 'dynoxide 1.2.1 as a second implementation of DynamoDB',
  play: async () => {
    const other = await startDynoxide();
    const own = openEngine(undefined).engine();
    try {
      return [await findDifference(own, other), await compareReservedWords(own, other)];
    } finally {
      await awaitAll([own.stop(), other.stop()]);
    }
  },
};

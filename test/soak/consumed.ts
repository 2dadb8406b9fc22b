import { tableClient } from '../../functions/kernel/storage/client.ts';

/** The counted requests to the table since the start. */
export const asked = { calls: 0, units: 0 };

/** Counts every call of this process's table client and what it consumes. */
export function countCalls(): void {
  tableClient().middlewareStack.add(
    (next) => async (args) => {
      asked.calls += 1;
      const output = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const { ConsumedCapacity } = output.output as { ConsumedCapacity?: Consumed | Consumed[] };
      for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) asked.units += CapacityUnits;
      return output;
    },
    { step: 'initialize', name: 'soakCounts' },
  );
}

interface Consumed {
  CapacityUnits?: number;
}

import { describe, expect, test } from '@jest/globals';

import { readDeparture } from '../../../functions/record/events/relay/departure.ts';
import { detailText, MAX_DETAIL_BYTES } from '../../../functions/kernel/bus.ts';
import { makeDetail } from '../../../functions/kernel/events/detail.ts';
import { splitBatches } from '../../../functions/kernel/queues.ts';

const S = (text: string) => ({ S: text });
const row = {
  __edb_e__: S('event'),
  environmentId: S('environment_1'),
  id: S('event_1'),
  name: S('organization.created'),
  data: S('{"id":"org_1"}'),
  context: S('{"actor":{"id":"a","source":"api","name":null}}'),
  organizationId: S('org_1'),
  createdAt: S('2026-01-15T12:00:00.000Z'),
};

describe('the relay from the table’s stream', () => {
  test('puts an inserted event on the bus', () => {
    expect(readDeparture({ eventName: 'INSERT', dynamodb: { NewImage: row } })).toEqual({
      kind: 'event',
      detail: {
        environment_id: 'environment_1',
        id: 'event_1',
        event: 'organization.created',
        data: { id: 'org_1' },
        context: { actor: { id: 'a', source: 'api', name: null } },
        organization_id: 'org_1',
        created_at: '2026-01-15T12:00:00.000Z',
      },
    });
  });

  test('sends messages and the entries of the outbox to their queues', () => {
    const message = { __edb_e__: S('message'), environmentId: S('environment_1'), id: S('message_1') };
    expect(readDeparture({ eventName: 'INSERT', dynamodb: { NewImage: message } })).toEqual({
      kind: 'message',
      queue: 'messages',
      body: { environment_id: 'environment_1', id: 'message_1' },
    });
    const outbox = { __edb_e__: S('outbox'), queue: S('deliveries'), body: S('{"a":1}') };
    expect(readDeparture({ eventName: 'INSERT', dynamodb: { NewImage: outbox } })).toEqual({
      kind: 'message',
      queue: 'deliveries',
      body: { a: 1 },
    });
  });

  test('ignores other rows, changes and deletions', () => {
    expect(readDeparture({ eventName: 'MODIFY', dynamodb: { NewImage: row } })).toBeUndefined();
    expect(readDeparture({ eventName: 'REMOVE', dynamodb: {} })).toBeUndefined();
    const other = { ...row, __edb_e__: S('organization') };
    expect(readDeparture({ eventName: 'INSERT', dynamodb: { NewImage: other } })).toBeUndefined();
  });

  test('sends an event with a too large payload as a reference', () => {
    const fields = {
      environmentId: 'environment_1',
      id: 'event_1',
      name: 'user.updated',
      data: JSON.stringify({ text: 'ü'.repeat(MAX_DETAIL_BYTES / 2) }),
      context: JSON.stringify({ previous_attributes: { text: 'ü'.repeat(MAX_DETAIL_BYTES / 2) } }),
      createdAt: '2026-01-15T12:00:00.000Z',
    };
    expect(JSON.parse(detailText(makeDetail(fields)))).toEqual({
      environment_id: 'environment_1',
      id: 'event_1',
      event: 'user.updated',
      created_at: '2026-01-15T12:00:00.000Z',
    });
  });

  test('sends batches in order, of at most ten entries and within the size of a request', () => {
    const sizes = [90, 20, 100, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 300];
    const batches = splitBatches(sizes, (size) => size, 10, 120);
    expect(batches.flat()).toEqual(sizes);
    expect(batches).toEqual([[90, 20], [100, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5, 5], [300]]);
  });
});

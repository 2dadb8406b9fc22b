import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, jest, test } from '@jest/globals';

import { tableClient } from '../../functions/kernel/storage/client.ts';
import type { CallResponse } from './http/calls.ts';
import { between } from './notes/area.ts';
import { notes } from './notes/entity.ts';
import { idOf, notesService } from './notes/service.ts';

const { here, send, create, rowsHere, commit } = notesService();

describe('the unit of work of a call', () => {
  test('is committed completely with its event, or not at all', async () => {
    await create('taken');
    expect(await create('taken')).toMatchObject({ status: 409, json: { code: 'text_taken' } });
    expect(await rowsHere('note')).toHaveLength(1);
    expect(await rowsHere('event')).toHaveLength(1);
  });

  test('is applied again to the current record after a concurrent write', async () => {
    const id = idOf(await create('counted'));
    const responses = await Promise.all(Array.from({ length: 4 }, () => send('POST', `/notes/${id}/count`)));
    expect(responses.map(({ json }) => (json as { count: number }).count).toSorted()).toEqual([1, 2, 3, 4]);
    expect((await send('GET', `/notes/${id}`)).json).toMatchObject({ count: 4 });
  });

  test('is applied again after a concurrent write within the same millisecond', async () => {
    const id = idOf(await create('counted'));
    const fixedClock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      const responses = await Promise.all(Array.from({ length: 4 }, () => send('POST', `/notes/${id}/count`)));
      expect(responses.map(({ json }) => (json as { count: number }).count).toSorted()).toEqual([1, 2, 3, 4]);
    } finally {
      fixedClock.mockRestore();
    }
    expect((await send('GET', `/notes/${id}`)).json).toMatchObject({ count: 4 });
  });

  test('fails with 503 after six attempts, and changes nothing', async () => {
    const id = idOf(await create('contested'));
    between.runs = 0;
    between.work = async (environmentId) => {
      const note = await notes.get(environmentId, id);
      if (note !== undefined) await commit(notes.revise(note, { text: `changed ${between.runs}` }).write);
    };
    const response = await send('POST', `/notes/${id}/count`);
    expect(response).toMatchObject({ status: 503, json: { code: 'concurrent_request' } });
    expect(response.headers['retry-after']).toBe('1');
    expect(between.runs).toBe(6);
    // Irreversible work is done once for all applications of a call.
    expect(between.onces).toBe(1);
    expect((await send('GET', `/notes/${id}`)).json).toMatchObject({ count: 0 });
  });

  test('is rejected if it is too large for a transaction', async () => {
    expect((await send('POST', '/notes/copies', { copies: 90 })).status).toBe(204);
    expect((await send('POST', '/notes/copies', { copies: 91 })).status).toBe(500);
    expect(await rowsHere('note')).toHaveLength(90);
  });

  /**
   * A middleware between the table's client and the network for one write, which is called with each attempt to send it.
   */
  async function inTransit(
    meddle: (send: () => Promise<unknown>, attempt: number) => Promise<unknown>,
    call: () => Promise<CallResponse>,
  ): Promise<CallResponse> {
    await send('GET', '/notes?limit=1');
    let attempts = 0;
    // The types of @smithy are not a dependency of this project, so the middleware's type is structural.
    const middleware = (next: (input: never) => Promise<never>, context: { commandName?: string }) => {
      return async (input: never): Promise<never> => {
        if (!/^(PutItem|TransactWriteItems)/.test(context.commandName ?? '')) return next(input);
        attempts += 1;
        return (await meddle(() => next(input), attempts)) as never;
      };
    };
    tableClient().middlewareStack.addRelativeTo(middleware as never, {
      name: 'onTheWay',
      relation: 'after',
      toMiddleware: 'retryMiddleware',
      override: true,
    });
    try {
      return await call();
    } finally {
      tableClient().middlewareStack.remove('onTheWay');
    }
  }

  const lost = () => Object.assign(new Error('lost'), { name: 'TimeoutError', $retryable: {} });

  test.each([
    ['a lone write', '/plain-notes'],
    ['a transaction', '/notes'],
  ])('is committed once if the response to %s is lost and the client retries', async (_, path) => {
    let sent = 0;
    const response = await inTransit(
      async (pass, attempt) => {
        sent = attempt;
        const output = await pass();
        if (attempt === 1) throw lost();
        return output;
      },
      () => send('POST', path, { text: 'once' }),
    );
    expect([response.status, sent]).toEqual([201, 2]);
    expect(await rowsHere('note')).toHaveLength(1);
  });

  test('is applied again if the request was lost, and a concurrent call wrote the record', async () => {
    const id = idOf(await create('counted'));
    const response = await inTransit(
      async (pass, attempt) => {
        if (attempt !== 1) return pass();
        const note = await notes.get(here().id, id);
        if (note !== undefined) await commit(notes.revise(note, { text: 'of the rival' }, note.createdAt).write);
        throw lost();
      },
      () => send('POST', `/notes/${id}/count`),
    );
    expect(response).toMatchObject({ status: 200, json: { text: 'of the rival', count: 1 } });
  });

  test.each([
    ['a lone write', '/plain-notes', 'TransactionConflictException'],
    ['a transaction', '/notes', 'TransactionCanceledException'],
  ])('is applied again if %s conflicts with another transaction', async (_, path, name) => {
    const response = await inTransit(
      async (pass, attempt) => {
        if (attempt > 2) return pass();
        const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
        const rejection = name.startsWith('TransactionCanceled')
          ? new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons })
          : Object.assign(new Error(), { name, $metadata: { httpStatusCode: 400 } });
        throw rejection;
      },
      () => send('POST', path, { text: 'once' }),
    );
    expect(response.status).toBe(201);
    expect(await rowsHere('note')).toHaveLength(1);
  });

  test('is applied again, not rejected, if a stale read caused the conflict of a unique value', async () => {
    const response = await inTransit(
      async (pass, attempt) => {
        if (attempt > 1) return pass();
        const failed = { Code: 'ConditionalCheckFailed' };
        const CancellationReasons = [failed, failed, { Code: 'None' }];
        throw new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
      },
      () => send('POST', '/notes', { text: 'once' }),
    );
    expect(response.status).toBe(201);
  });

  test.each([
    ['ThrottlingError', 503],
    ['ProvisionedThroughputExceeded', 503],
    ['ValidationError', 500],
  ])('is not applied again if its transaction was cancelled for %s, and returns %i', async (Code, status) => {
    let sent = 0;
    const response = await inTransit(
      async (_pass, attempt) => {
        sent = attempt;
        const CancellationReasons = [{ Code: 'None' }, { Code }];
        throw new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
      },
      () => send('POST', '/notes', { text: 'once' }),
    );
    expect([response.status, sent]).toEqual([status, 1]);
  });
});

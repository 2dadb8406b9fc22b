import { beforeEach, describe, expect, test } from '@jest/globals';

import { makeSameCalls } from '../../support/costs.ts';
import { FORMS, openSender, prepare } from './sender.ts';

beforeEach(() => prepare());

/** Times are compared in `timing.soak.ts`; here the calls are compared, since the same calls take the same time. */
describe('the existence of an account', () => {
  test.each(FORMS)('does not change the AWS calls and password hashes %s', async (...form) => {
    const { known, unknown } = await openSender(form);
    // The first requests are not measured, because settings and keys are cached after them.
    await Promise.all([known(1), unknown(2)]);
    let at = 2;
    const compared = await makeSameCalls(
      'pages-http',
      () => known((at += 1)),
      () => unknown((at += 1)),
    );
    expect(compared).toMatchObject({ isSame: true, calls: [{ 'table.TransactWriteItems': 1 }, {}] });
  });
});

import { describe, expect, test } from '@jest/globals';

import {
  type AccountRole,
  roleOfNew,
  select,
  selectForUpdate,
  selectForUpsert,
  visible,
} from '../../functions/connections/pipes/connected-account/rules.ts';

interface RoleOfAccount {
  id: string;
  connectionRole: AccountRole;
}
const compatibility: RoleOfAccount = { id: 'c', connectionRole: 'compatibility' };
const first: RoleOfAccount = { id: 's1', connectionRole: 'standard' };
const second: RoleOfAccount = { id: 's2', connectionRole: 'standard' };

/** The expected selection: `c` or `s1` for a connected account, `none`, or `several`. */
type Expected = 'c' | 's1' | 'none' | 'several';
const outcomeOf = (selection: { kind: string; account?: RoleOfAccount }): string =>
  selection.account?.id ?? selection.kind;

const sets: Record<string, readonly RoleOfAccount[]> = {
  nothing: [],
  'the compatibility connection': [compatibility],
  'a standard one': [first],
  'both kinds': [compatibility, first],
  'two standard ones': [first, second],
};

/**
 * The columns are: existing accounts, named account, whether the caller supports several, and the results of read, upsert
 * and update.
 */
const table: readonly [string, string | undefined, boolean, Expected, Expected, Expected][] = [
  ['nothing', undefined, false, 'none', 'none', 'none'],
  ['nothing', undefined, true, 'none', 'none', 'none'],
  ['nothing', 'x', true, 'none', 'none', 'none'],
  ['the compatibility connection', undefined, false, 'c', 'c', 'c'],
  ['the compatibility connection', undefined, true, 'c', 'c', 'c'],
  ['the compatibility connection', 'c', false, 'c', 'c', 'c'],
  ['the compatibility connection', 'x', false, 'none', 'none', 'none'],
  ['the compatibility connection', 'x', true, 'none', 'none', 'none'],
  ['a standard one', undefined, false, 'none', 'none', 'none'],
  ['a standard one', undefined, true, 's1', 'none', 'none'],
  ['a standard one', 's1', false, 'none', 's1', 's1'],
  ['a standard one', 's1', true, 's1', 's1', 's1'],
  ['both kinds', undefined, false, 'c', 'c', 'c'],
  ['both kinds', undefined, true, 'several', 'several', 'c'],
  ['both kinds', 'c', true, 'c', 'c', 'c'],
  ['both kinds', 's1', false, 'none', 's1', 's1'],
  ['both kinds', 's1', true, 's1', 's1', 's1'],
  ['both kinds', 'x', true, 'none', 'none', 'none'],
  ['two standard ones', undefined, false, 'none', 'none', 'several'],
  ['two standard ones', undefined, true, 'several', 'several', 'several'],
  ['two standard ones', 's1', true, 's1', 's1', 's1'],
];

describe('the selection among an owner’s connections', () => {
  test.each(table)(
    'with %s, naming %s (several: %s): read %s, upsert %s, update %s',
    (held, id, several, ...expected) => {
      const accounts = sets[held] ?? [];
      const selector = { connectedAccountId: id, supportsMultiple: several };
      expect([
        outcomeOf(select(accounts, selector)),
        outcomeOf(selectForUpsert(accounts, selector)),
        outcomeOf(selectForUpdate(accounts, id)),
      ]).toEqual(expected);
    },
  );

  test('finds only the connection with the role `compatibility` for a caller that does not support several', () => {
    expect(visible([first, compatibility], false)).toEqual([compatibility]);
    expect(visible([first, compatibility], true)).toEqual([first, compatibility]);
  });

  test('gives the first connection the role `compatibility`, and later ones the role `standard`', () => {
    expect(roleOfNew([])).toBe('compatibility');
    expect(roleOfNew([compatibility])).toBe('standard');
    expect(roleOfNew([first])).toBe('compatibility');
  });
});

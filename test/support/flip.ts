import { readFileSync } from 'node:fs';

import { RULES } from '../../functions/tenancy/modules/trust/authority/rules.ts';

/**
 * Loaded by the service of a test process if GATEHOUSE_FLIPPED names a file: the rule of trust whose place, from 0, is in the file
 * decides the opposite: it allows what it denied, or the other way round.
 */
const file = process.env.GATEHOUSE_FLIPPED ?? '';

for (const [place, rule] of RULES.entries()) {
  const { then } = rule;
  const flipped = then === 'allowed' ? 'not_covered' : 'allowed';
  Object.defineProperty(rule, 'then', {
    get: () => (readFileSync(file, 'utf8') === String(place) ? flipped : then),
  });
}

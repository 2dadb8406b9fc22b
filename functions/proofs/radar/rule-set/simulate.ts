import * as z from 'zod';

import type { AttemptRecord } from '../attempt/entity.ts';
import { readFacts } from '../attempt/facts.ts';
import { CONTROLS } from '../engine/controls.ts';
import { assess } from '../engine/evaluate.ts';
import type { RuleSet } from '../engine/schema.ts';

const verdict = z.enum(['allow', 'block', 'challenge']);
const Tally = z.object({ allow: z.int(), challenge: z.int(), block: z.int() });
const Result = z.object({ verdict, control: z.enum(CONTROLS).nullable(), reason: z.string() });

/** Maximum number of changed attempts that a simulation lists. */
const MOST_NAMED = 100;

export const Simulation = z
  .object({
    attempts: z.int().describe('The attempts that were evaluated again.'),
    before: Tally,
    after: Tally,
    changed: z.int(),
    changes: z
      .array(z.object({ attempt_id: z.string(), before: Result, after: Result }))
      .describe(`The newest ${MOST_NAMED} attempts that get another verdict or control.`),
  })
  .meta({ id: 'RadarSimulation' });

/** Assesses attempts again by another rule set, as of the time of each attempt. */
export function simulate(ruleSet: RuleSet, records: readonly AttemptRecord[]): z.input<typeof Simulation> {
  const tally = () => ({ allow: 0, challenge: 0, block: 0 });
  const [before, after] = [tally(), tally()];
  const changes: z.input<typeof Simulation>['changes'] = [];
  for (const record of records) {
    const { id, verdict: was, reason } = record;
    const control = (record.control as (typeof CONTROLS)[number] | undefined) ?? null;
    const assessment = assess(ruleSet, readFacts(record));
    before[was] += 1;
    after[assessment.verdict] += 1;
    const next = { verdict: assessment.verdict, control: assessment.control ?? null, reason: assessment.reason };
    if (next.verdict === was && next.control === control) continue;
    changes.push({ attempt_id: id, before: { verdict: was, control, reason }, after: next });
  }
  const named = changes.slice(0, MOST_NAMED);
  return { attempts: records.length, before, after, changed: changes.length, changes: named };
}

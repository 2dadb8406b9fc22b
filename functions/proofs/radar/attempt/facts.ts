import type { Facts, AssessedRule, Assessment } from '../engine/evaluate.ts';
import { type PackedSignals, packSignals, unpackSignals } from '../engine/signals.ts';
import type { AttemptRecord } from './entity.ts';

/** Facts in their stored form. */
export type PackedFacts = Omit<Facts, 'signals'> & PackedSignals;

/** Packs facts for the row of an attempt. */
export const packFacts = ({ signals, ...rest }: Facts): PackedFacts => ({ ...rest, ...packSignals(signals) });

/** The facts of a stored attempt. */
export function readFacts({ facts }: AttemptRecord): Facts {
  const { values, absent, ...rest } = facts as PackedFacts;
  return { ...rest, signals: unpackSignals({ values, absent }) };
}

/** The members of an assessment that are stored. Of rules that did not match only the names are stored. */
export const computeResult = ({ verdict, reason, control, blocklistType, controls, rules }: Assessment) => {
  const isNotable = ({ matched, exemptBy, notEvaluated }: AssessedRule) =>
    matched || exemptBy.length > 0 || notEvaluated.length > 0;
  return {
    ...{ verdict, reason, control, blocklistType, controls },
    rules: rules.filter(isNotable),
    unmatched: rules.filter((rule) => !isNotable(rule)).map(({ name }) => name),
  };
};

import { explainAccount, explainMethods } from './account-lines.ts';
import type { Facts } from './facts.ts';
import { explainLimits, explainRadar } from './limit-lines.ts';
import type { Line } from './line.ts';
import { explainHistory, explainMemberships } from './membership-lines.ts';
import { explainPolicy } from './policy-lines.ts';
import { explainAddress, explainFactors, explainMessages } from './proof-lines.ts';

/** The lines of an explanation, in the order in which a sign-in meets their subjects. */
export const explain = (facts: Facts): Line[] => [
  ...explainAccount(facts),
  ...explainMethods(facts),
  ...explainPolicy(facts),
  ...explainLimits(facts),
  ...explainRadar(facts),
  ...explainAddress(facts),
  ...explainMessages(facts),
  ...explainFactors(facts),
  ...explainMemberships(facts),
  ...explainHistory(facts),
];

/** The line at which the sign-in stops: the first that does. */
export const findStop = (lines: readonly Line[]): Line | undefined => lines.find(({ status }) => status === 'stops');

import { type Action, type Control, CONTROLS, type ListType, type Mode, MODES, type Verdict } from './controls.ts';
import type { Condition, Rule, RuleSet } from './schema.ts';
import { type SignalName, type Signals, readValue } from './signals.ts';

/** The list entries that an attempt matches: their types, and the first matching entry. */
export interface ListHits {
  allow: readonly ListType[];
  block: readonly ListType[];
}

/** The facts of an attempt that a rule set evaluates. */
export interface Facts {
  action: Action;
  signals: Signals;
  /** The matching list entries; undefined if the lists could not be read. */
  lists: ListHits | undefined;
  /** False if the counters could not be read. */
  areCounted: boolean;
}

/** The result of a rule in an assessment. */
export interface AssessedRule {
  name: string;
  control: Control;
  /** True if the rule matched. */
  matched: boolean;
  points: number;
  /** The signals of its conditions that were not evaluated. */
  notEvaluated: SignalName[];
  /** The conditions of `unless` that were true, by their signals. */
  exemptBy: SignalName[];
}

/** The result of a control in an assessment. */
export interface AssessedControl {
  control: Control;
  mode: Mode;
  points: number;
  threshold: number;
  /** True if the points have reached the threshold. */
  triggered: boolean;
}

/** The assessment of an attempt. */
export interface Assessment {
  verdict: Verdict;
  reason: string;
  control?: Control | undefined;
  blocklistType?: ListType | undefined;
  controls: AssessedControl[];
  rules: AssessedRule[];
}

function isTrue({ op, value }: Condition, found: number | boolean | string): boolean {
  switch (op) {
    case 'eq':
      return found === value;
    case 'ne':
      return found !== value;
    case 'in':
      return Array.isArray(value) && value.includes(String(found));
    case 'not_in':
      return Array.isArray(value) && !value.includes(String(found));
    case 'gte':
      return Number(found) >= Number(value);
    case 'gt':
      return Number(found) > Number(value);
    case 'lte':
      return Number(found) <= Number(value);
    case 'lt':
      return Number(found) < Number(value);
  }
}

/** Evaluates one rule. A signal that was not evaluated makes neither a condition nor an exemption true. */
function assessRule({ name, control, actions, when, unless = [], points }: Rule, facts: Facts): AssessedRule {
  const isMet = (condition: Condition): boolean => {
    const found = readValue(facts.signals[condition.signal]);
    return found !== undefined && isTrue(condition, found);
  };
  const applies = actions === undefined || actions.includes(facts.action);
  const notEvaluated = when
    .map(({ signal }) => signal)
    .filter((signal) => readValue(facts.signals[signal]) === undefined);
  const exemptBy = unless.filter(isMet).map(({ signal }) => signal);
  const matched = applies && when.every(isMet) && exemptBy.length === 0;
  return { name, control, matched, points, notEvaluated: applies ? notEvaluated : [], exemptBy };
}

const UNREADABLE = 'The counters or lists could not be read, so a further proof is required';

/**
 * The control with the most severe result: `block`, then `challenge`. Of two equal ones it is the first in the order of
 * {@link CONTROLS}.
 */
function severest(assessed: readonly AssessedControl[]): AssessedControl | undefined {
  const effective = assessed.filter(({ triggered, mode }) => triggered && (mode === 'block' || mode === 'challenge'));
  return effective.find(({ mode }) => mode === 'block') ?? effective[0];
}

/** Replaces the placeholders in a rule's message by the values of signals. */
const fillIn = (message: string, signals: Signals): string =>
  message.replace(/\{([^{}]*)\}/g, (_, name: SignalName) => String(readValue(signals[name]) ?? 'an unknown number of'));

/**
 * Assesses an attempt: allow entries have priority, then block entries, then the most severe control. The same facts always
 * have the same result, and a missing fact never makes it more severe, except for counters or lists that could not be read:
 * then a proof is required, unless brute-force detection is `off` or `log`.
 */
export function assess({ controls, rules }: RuleSet, facts: Facts): Assessment {
  const assessedRules = rules.map((rule) => assessRule(rule, facts));
  const assessed = CONTROLS.map((control): AssessedControl => {
    const { mode, threshold } = controls[control];
    const matching = assessedRules.filter((rule) => rule.control === control && rule.matched);
    const points = matching.reduce((sum, rule) => sum + rule.points, 0);
    return { control, mode, points, threshold, triggered: mode !== 'off' && points >= threshold };
  });
  const common = { controls: assessed, rules: assessedRules };
  const [allowed] = facts.lists?.allow ?? [];
  if (allowed !== undefined)
    return { ...common, verdict: 'allow', reason: `The ${spelled(allowed)} is on the allow list` };
  const [blocklistType] = facts.lists?.block ?? [];
  const { mode: onList } = controls.restriction;
  if (blocklistType !== undefined && (onList === 'block' || onList === 'challenge')) {
    const reason = `The ${spelled(blocklistType)} is on the block list`;
    return { ...common, verdict: onList, reason, control: 'restriction', blocklistType };
  }
  const worst = severest(assessed);
  const isUncertain = (!facts.areCounted || facts.lists === undefined) && isActive(controls.brute_force_attack.mode);
  if (worst?.mode !== 'block' && isUncertain) {
    return { ...common, verdict: 'challenge', reason: UNREADABLE, control: 'brute_force_attack' };
  }
  if (worst === undefined) return { ...common, verdict: 'allow', reason: 'No control requires more' };
  const matched = new Set(assessedRules.filter((rule) => rule.matched).map(({ name }) => name));
  const [heaviest] = rules
    .filter(({ name, control }) => control === worst.control && matched.has(name))
    .sort((a, b) => b.points - a.points);
  const reason = fillIn(heaviest?.message ?? '', facts.signals);
  return { ...common, verdict: worst.mode as Verdict, reason, control: worst.control };
}

const isActive = (mode: Mode): boolean => MODES.indexOf(mode) >= MODES.indexOf('challenge');

const spelled = (type: ListType): string => type.replaceAll('_', ' ').replace('ip ', 'IP ');

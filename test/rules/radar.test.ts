import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';

import { computeSignals, type ReadFacts } from '../../functions/proofs/radar/attempt/read-signals.ts';
import { CONTROLS, LIST_TYPES, MODES, type Mode } from '../../functions/proofs/radar/engine/controls.ts';
import { DEFAULT_RULES } from '../../functions/proofs/radar/engine/default-rules.ts';
import { type Facts, assess, type ListHits } from '../../functions/proofs/radar/engine/evaluate.ts';
import type { RuleSet } from '../../functions/proofs/radar/engine/schema.ts';
import {
  SIGNAL_NAMES,
  SIGNALS,
  type Signal,
  type SignalName,
  type Signals,
  type SignalValue,
} from '../../functions/proofs/radar/engine/signals.ts';

/** Facts with the named values; all other signals were not evaluated. */
const makeFacts = (
  values: Partial<Record<SignalName, SignalValue>>,
  { action = 'sign-in', lists = { allow: [], block: [] }, areCounted = true }: Partial<Facts> = {},
): Facts => ({
  action,
  lists,
  areCounted,
  signals: Object.fromEntries(
    SIGNAL_NAMES.map((name): [SignalName, Signal] => {
      const value = values[name];
      return [name, value === undefined ? { notEvaluated: 'unknown' } : { value }];
    }),
  ) as Signals,
});

const withMode = (control: (typeof CONTROLS)[number], mode: Mode): RuleSet => ({
  ...DEFAULT_RULES,
  controls: { ...DEFAULT_RULES.controls, [control]: { mode, threshold: 100 } },
});

/** The facts that trigger each control of the default rule set and no other, and the reason that callers get. */
const TRIGGERED: Record<(typeof CONTROLS)[number], [Facts, string]> = {
  restriction: [makeFacts({}, { lists: { allow: [], block: ['ip_address'] } }), 'The IP address is on the block list'],
  brute_force_attack: [makeFacts({ email_attempts_minute: 12 }), '12 attempts for this email within a minute'],
  bot_detection: [makeFacts({ user_agent_kind: 'tool' }), 'The user agent is that of a program (tool)'],
  impossible_travel: [
    makeFacts({ travel_km: 9_000, travel_kmh: 1_200 }),
    '9000 km from the place of the last success, at 1200 km/h',
  ],
  repeat_sign_up: [
    makeFacts({ email_sign_ups_day: 3 }, { action: 'sign-up' }),
    '3 sign-ups with this mailbox within a day',
  ],
  unrecognized_device: [makeFacts({ device_known: false }), 'No success by this device is known'],
  stale_account: [makeFacts({ days_since_success: 200 }), 'The last success was 200 days ago'],
};

describe('the default rule set', () => {
  test.each(CONTROLS.flatMap((control) => MODES.map((mode) => [control, mode] as const)))(
    'with the control %s in the mode `%s` has the verdict of that mode, and the reason of its rule',
    (control, mode) => {
      const [facts, reason] = TRIGGERED[control];
      const assessment = assess(withMode(control, mode), facts);
      const isEffective = mode === 'challenge' || mode === 'block';
      expect([assessment.verdict, assessment.control, assessment.reason]).toEqual(
        isEffective ? [mode, control, reason] : ['allow', undefined, 'No control requires more'],
      );
      expect(assessment.blocklistType).toBe(control === 'restriction' && isEffective ? 'ip_address' : undefined);
      const own = assessment.controls.find((each) => each.control === control);
      expect([own?.mode, own?.triggered]).toEqual([mode, control !== 'restriction' && mode !== 'off']);
    },
  );

  test('uses the most severe of several controls; an allow entry overrides everything, and a block entry every control', () => {
    const values = { email_attempts_minute: 50, user_agent_kind: 'tool', device_known: false, travel_km: 9_000 };
    const all = (lists: ListHits) => makeFacts({ ...values, travel_kmh: 1_200 }, { lists });
    const none = { allow: [], block: [] };
    expect(assess(DEFAULT_RULES, all(none)).control).toBe('brute_force_attack');
    expect(assess(withMode('impossible_travel', 'block'), all(none))).toMatchObject({
      verdict: 'block',
      control: 'impossible_travel',
    });
    expect(assess(DEFAULT_RULES, all({ allow: [], block: ['domain'] }))).toMatchObject({ control: 'restriction' });
    const allowed = assess(withMode('impossible_travel', 'block'), all({ allow: ['email'], block: ['domain'] }));
    expect([allowed.verdict, allowed.control]).toEqual(['allow', undefined]);
  });

  test('exempts users with a known device or address from controls that others in their network trigger', () => {
    const attack = { address_emails_hour: 400, address_unconfirmed_hour: 900, address_attempts_minute: 200 };
    expect(assess(DEFAULT_RULES, makeFacts(attack)).verdict).toBe('challenge');
    expect(assess(DEFAULT_RULES, makeFacts({ ...attack, device_known: true })).verdict).toBe('allow');
    expect(assess(DEFAULT_RULES, makeFacts({ ...attack, address_known: true })).verdict).toBe('allow');
    // A device that a page names is a weak signal, and so is a user agent.
    expect(assess(DEFAULT_RULES, makeFacts({ ...attack, script_device_known: true })).verdict).toBe('challenge');
    expect(assess(DEFAULT_RULES, makeFacts({ ...attack, user_agent_known: true })).verdict).toBe('challenge');
  });
});

/** Generates facts of any attempt, for tests with random values. */
const anyFacts = fc.record({
  action: fc.constantFrom('sign-in' as const, 'sign-up' as const),
  areCounted: fc.boolean(),
  lists: fc.option(fc.record({ allow: fc.subarray([...LIST_TYPES]), block: fc.subarray([...LIST_TYPES]) }), {
    nil: undefined,
  }),
  signals: fc.record(
    Object.fromEntries(
      SIGNAL_NAMES.map((name) => {
        const value = {
          number: fc.nat(2_000),
          boolean: fc.boolean(),
          string: fc.constantFrom('tool', 'DE', 'browser'),
        };
        const known = (value[SIGNALS[name]] as fc.Arbitrary<SignalValue>).map((each): Signal => ({ value: each }));
        return [name, fc.oneof(known, fc.constant<Signal>({ notEvaluated: 'unknown' }))];
      }),
    ) as Record<SignalName, fc.Arbitrary<Signal>>,
  ),
});

const anyModes = fc.record(
  Object.fromEntries(CONTROLS.map((name) => [name, fc.constantFrom(...MODES)])) as Record<
    (typeof CONTROLS)[number],
    fc.Arbitrary<Mode>
  >,
);

const SEVERITY = { allow: 0, challenge: 1, block: 2 };

describe('an assessment by the rules, for any facts,', () => {
  test('never becomes more permissive by a block entry, and allows an attempt with an allow entry or without signals', () => {
    fc.assert(
      fc.property(anyFacts, anyModes, fc.constantFrom(...LIST_TYPES), (facts, modes, type) => {
        const entries = CONTROLS.map((name) => [name, { mode: modes[name], threshold: 100 }]);
        const ruleSet = { ...DEFAULT_RULES, controls: Object.fromEntries(entries) as RuleSet['controls'] };
        const severity = (given: Facts) => SEVERITY[assess(ruleSet, given).verdict];
        const lists = facts.lists ?? { allow: [], block: [] };
        const read = { ...facts, lists };
        if (modes.restriction === 'block') {
          expect(severity({ ...read, lists: { ...lists, block: [...lists.block, type] } })).toBeGreaterThanOrEqual(
            severity(read),
          );
        }
        expect(severity({ ...read, lists: { ...lists, allow: [...lists.allow, type] } })).toBe(0);
        const absent = makeFacts({}, { ...facts, lists: { allow: [], block: [] }, areCounted: true });
        expect(severity(absent)).toBe(0);
      }),
    );
  });

  test('is deterministic, names a control unless the verdict is `allow`, and has a reason without placeholders', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const assessment = assess(DEFAULT_RULES, facts);
        expect(assessment.control === undefined).toBe(assessment.verdict === 'allow');
        expect(assessment.blocklistType === undefined || assessment.control === 'restriction').toBe(true);
        expect(assessment.reason).not.toMatch(/[{}]/);
        expect(assessment.reason).not.toContain('unknown number');
        expect(assess(DEFAULT_RULES, facts)).toEqual(assessment);
      }),
    );
  });
});

const COUNTS = {
  attemptsMinute: 1,
  attemptsHour: 2,
  attemptsDay: 3,
  unconfirmedHour: 2,
  signUpsDay: 0,
  emailsHour: 1,
  emailsDay: 1,
};

/** The facts of an attempt with everything that can be known. */
const complete: ReadFacts = {
  method: 'Password',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  signalsId: 'radar_signals_x',
  subjects: { environmentId: 'e', email: 'ada@example.com', network: '203.0.113.7', device: 'd', userAgent: null },
  isOwnDevice: false,
  profile: {
    email: COUNTS,
    network: COUNTS,
    device: COUNTS,
    known: {
      lastSuccessAt: Date.now() - 3_600_000,
      lastPlace: { country: 'DE', latitude: 52, longitude: 13 },
      device: true,
      network: true,
      userAgent: true,
    },
  },
  script: { automation: false },
  place: { country: 'AU', latitude: -33, longitude: 151 },
  noPlace: undefined,
};

const { known } = complete.profile ?? { known: {} };
const profiled = (members: object): Partial<ReadFacts> => ({
  profile: { email: COUNTS, network: COUNTS, device: COUNTS, known: { ...known, ...members } },
});
const without = (members: object): Partial<ReadFacts> => ({ subjects: { ...complete.subjects, ...members } });

describe('a signal', () => {
  test('is evaluated if everything is known, except those of other kinds of devices', () => {
    const signals = computeSignals(complete);
    const missing = SIGNAL_NAMES.filter((name) => 'notEvaluated' in signals[name]);
    expect(missing).toEqual(['device_known', 'user_agent_known']);
  });

  test.each<[string, Partial<ReadFacts>, SignalName[], RegExp]>([
    [
      'the counters cannot be read',
      { profile: undefined },
      [
        'email_attempts_minute',
        'address_emails_hour',
        'device_sign_ups_day',
        'device_known',
        'travel_km',
        'days_since_success',
      ],
      /counters could not be read/,
    ],
    [
      'no address was sent',
      {
        ...without({ network: undefined }),
        profile: { ...(complete.profile as object), network: undefined } as never,
        place: undefined,
        noPlace: 'no address was sent',
      },
      ['address_attempts_minute', 'address_known', 'country', 'travel_kmh'],
      /no address was sent/,
    ],
    [
      'no signals_id was sent',
      { ...without({ device: undefined }), signalsId: undefined, script: undefined },
      ['automation'],
      /^no signals_id was sent$/,
    ],
    [
      'the attempt has no device',
      without({ device: undefined }),
      ['device_known', 'script_device_known', 'device_emails_day'],
      /send signals_id/,
    ],
    ['the signals_id was used', { script: undefined }, ['automation'], /unknown, used or expired/],
    ['the service recognized the device', { isOwnDevice: true }, ['script_device_known'], /see device_known/],
    ['a device was named', {}, ['user_agent_known'], /^a device was named$/],
    [
      'no user agent was sent',
      { ...without({ device: undefined, userAgent: undefined }), userAgent: null },
      ['user_agent_kind', 'user_agent_known'],
      /no user agent was sent/,
    ],
    [
      'the email had no success',
      profiled({ lastSuccessAt: undefined, lastPlace: undefined, device: undefined, network: undefined }),
      ['script_device_known', 'address_known', 'days_since_success', 'travel_km'],
      /no success of this email was reported/,
    ],
    [
      'there is no table of places',
      { place: undefined },
      ['country', 'travel_km', 'travel_kmh'],
      /npm run radar -- geo/,
    ],
    [
      'the last success had no place',
      profiled({ lastPlace: undefined }),
      ['travel_km'],
      /place of the last success is not known/,
    ],
    ['the place has no coordinates', { place: { country: 'AU' } }, ['travel_km', 'travel_kmh'], /no coordinates/],
  ])('is not evaluated, with the reason, if %s', (_, members, names, reason) => {
    const signals = computeSignals({ ...complete, ...members });
    for (const name of names)
      expect([name, signals[name]]).toEqual([name, { notEvaluated: expect.stringMatching(reason) }]);
  });
});

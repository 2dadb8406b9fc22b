import type { RuleSet } from './schema.ts';

/**
 * The rule set of an environment that has none of its own. A client that had a success with this device, or from this
 * address, is exempt from the rules that other clients with the same address can cause to match.
 */
export const DEFAULT_RULES: RuleSet = {
  controls: {
    restriction: { mode: 'block', threshold: 100 },
    brute_force_attack: { mode: 'challenge', threshold: 100 },
    bot_detection: { mode: 'challenge', threshold: 100 },
    impossible_travel: { mode: 'challenge', threshold: 100 },
    repeat_sign_up: { mode: 'challenge', threshold: 100 },
    unrecognized_device: { mode: 'challenge', threshold: 100 },
    stale_account: { mode: 'challenge', threshold: 100 },
  },
  rules: [
    {
      name: 'many-attempts-for-an-email',
      control: 'brute_force_attack',
      when: [{ signal: 'email_attempts_minute', op: 'gte', value: 10 }],
      unless: [{ signal: 'device_known', op: 'eq', value: true }],
      points: 100,
      message: '{email_attempts_minute} attempts for this email within a minute',
    },
    {
      name: 'many-unconfirmed-attempts-for-an-email',
      control: 'brute_force_attack',
      when: [{ signal: 'email_unconfirmed_hour', op: 'gte', value: 30 }],
      unless: [{ signal: 'device_known', op: 'eq', value: true }],
      points: 100,
      message: '{email_unconfirmed_hour} attempts for this email within an hour of which no success is known',
    },
    {
      name: 'many-emails-from-an-address',
      control: 'brute_force_attack',
      when: [
        { signal: 'address_emails_hour', op: 'gte', value: 10 },
        { signal: 'address_unconfirmed_hour', op: 'gte', value: 20 },
      ],
      unless: [
        { signal: 'device_known', op: 'eq', value: true },
        { signal: 'address_known', op: 'eq', value: true },
      ],
      points: 100,
      message:
        '{address_emails_hour} emails were tried from this network within an hour, {address_unconfirmed_hour} times without a known success',
    },
    {
      name: 'many-attempts-from-an-address',
      control: 'brute_force_attack',
      when: [
        { signal: 'address_attempts_minute', op: 'gte', value: 60 },
        { signal: 'address_unconfirmed_hour', op: 'gte', value: 60 },
      ],
      unless: [
        { signal: 'device_known', op: 'eq', value: true },
        { signal: 'address_known', op: 'eq', value: true },
      ],
      points: 100,
      message: '{address_attempts_minute} attempts from this network within a minute',
    },
    {
      name: 'many-emails-by-a-device',
      control: 'brute_force_attack',
      when: [
        { signal: 'device_emails_hour', op: 'gte', value: 5 },
        { signal: 'device_unconfirmed_hour', op: 'gte', value: 10 },
      ],
      unless: [{ signal: 'device_known', op: 'eq', value: true }],
      points: 100,
      message: '{device_emails_hour} emails were tried by this device within an hour',
    },
    {
      name: 'user-agent-of-a-tool',
      control: 'bot_detection',
      when: [{ signal: 'user_agent_kind', op: 'in', value: ['tool', 'headless'] }],
      points: 100,
      message: 'The user agent is that of a program ({user_agent_kind})',
    },
    {
      name: 'user-agent-that-no-browser-has',
      control: 'bot_detection',
      when: [{ signal: 'user_agent_kind', op: 'in', value: ['empty', 'impossible'] }],
      points: 100,
      message: 'The user agent is one that no browser sends ({user_agent_kind})',
    },
    {
      name: 'browser-that-a-program-controls',
      control: 'bot_detection',
      when: [{ signal: 'automation', op: 'eq', value: true }],
      points: 100,
      message: 'The browser reported that a program controls it',
    },
    {
      name: 'travel-faster-than-an-aeroplane',
      control: 'impossible_travel',
      actions: ['sign-in'],
      when: [
        { signal: 'travel_kmh', op: 'gt', value: 900 },
        { signal: 'travel_km', op: 'gt', value: 500 },
      ],
      unless: [
        { signal: 'device_known', op: 'eq', value: true },
        { signal: 'script_device_known', op: 'eq', value: true },
        { signal: 'address_known', op: 'eq', value: true },
      ],
      points: 100,
      message: '{travel_km} km from the place of the last success, at {travel_kmh} km/h',
    },
    {
      name: 'many-sign-ups-by-a-device',
      control: 'repeat_sign_up',
      actions: ['sign-up'],
      when: [{ signal: 'device_sign_ups_day', op: 'gte', value: 3 }],
      points: 100,
      message: '{device_sign_ups_day} sign-ups by this device within a day',
    },
    {
      name: 'many-sign-ups-of-a-mailbox',
      control: 'repeat_sign_up',
      actions: ['sign-up'],
      when: [{ signal: 'email_sign_ups_day', op: 'gte', value: 3 }],
      points: 100,
      message: '{email_sign_ups_day} sign-ups with this mailbox within a day',
    },
    {
      name: 'many-sign-ups-from-an-address',
      control: 'repeat_sign_up',
      actions: ['sign-up'],
      when: [{ signal: 'address_sign_ups_day', op: 'gte', value: 20 }],
      points: 100,
      message: '{address_sign_ups_day} sign-ups from this network within a day',
    },
    {
      name: 'sign-ups-with-disposable-mailboxes',
      control: 'repeat_sign_up',
      actions: ['sign-up'],
      when: [
        { signal: 'email_disposable', op: 'eq', value: true },
        { signal: 'address_sign_ups_day', op: 'gte', value: 2 },
      ],
      points: 100,
      message: 'A disposable mailbox, and {address_sign_ups_day} sign-ups from this network within a day',
    },
    {
      name: 'device-that-is-new',
      control: 'unrecognized_device',
      actions: ['sign-in'],
      when: [{ signal: 'device_known', op: 'eq', value: false }],
      points: 100,
      message: 'No success by this device is known',
    },
    {
      name: 'script-device-that-is-new',
      control: 'unrecognized_device',
      actions: ['sign-in'],
      when: [{ signal: 'script_device_known', op: 'eq', value: false }],
      points: 100,
      message: 'No success by the device that the page named is known',
    },
    {
      name: 'user-agent-that-is-new',
      control: 'unrecognized_device',
      actions: ['sign-in'],
      when: [{ signal: 'user_agent_known', op: 'eq', value: false }],
      points: 100,
      message: 'No success by this user agent is known, and the attempt names no device',
    },
    {
      name: 'account-without-recent-success',
      control: 'stale_account',
      actions: ['sign-in'],
      when: [{ signal: 'days_since_success', op: 'gte', value: 180 }],
      unless: [
        { signal: 'device_known', op: 'eq', value: true },
        { signal: 'script_device_known', op: 'eq', value: true },
      ],
      points: 100,
      message: 'The last success was {days_since_success} days ago',
    },
  ],
};

import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { forgetEnvironment } from '../../../kernel/authentication/environment.ts';
import { settingsOperations } from '../../../kernel/environment-settings.ts';
import { Failure, general, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { attempts } from '../attempt/entity.ts';
import { RuleSet } from '../engine/schema.ts';
import { rulesIn } from './find.ts';
import { radarSettings } from './settings.ts';
import { RULES_SECTION, type StoredRules } from './stored.ts';
import { simulate, Simulation } from './simulate.ts';

const VersionedRuleSet = z
  .object({
    version: z.string().describe('`default.` and a number, or the number of the environment’s own rule set.'),
    is_default: z.boolean(),
    ...RuleSet.shape,
  })
  .meta({ id: 'RadarVersionedRuleSet' });

/** The stored environment. @throws Failure if it was deleted while its key was still cached */
async function environmentRow(environmentId: string) {
  const environment = await orFail(
    environments.get(environmentId, environmentId),
    () => new Failure(general.unauthorized),
  );
  return environment;
}

function present(settings: unknown): z.input<typeof VersionedRuleSet> {
  const { version, ruleSet } = rulesIn(settings);
  return { version, is_default: version.startsWith('default.'), ...ruleSet };
}

/** Stages a rule set, or its replacement by the default, with the next version. */
async function stageRules(unit: Pick<Unit, 'stage'>, environmentId: string, ruleSet: RuleSet | undefined) {
  const environment = await environmentRow(environmentId);
  const stored = environment.settings as { [RULES_SECTION]?: StoredRules } | undefined;
  const section = { version: (stored?.[RULES_SECTION]?.version ?? 0) + 1, ...(ruleSet && { rule_set: ruleSet }) };
  const settings = { ...(environment.settings as object | undefined), [RULES_SECTION]: section };
  unit.stage(environments.revise(environment, { settings }).write);
  forgetEnvironment(environmentId);
  return present(settings);
}

const getRules = operation({
  id: 'radar.get_rules',
  method: 'GET',
  path: '/x/radar/rules',
  summary: 'Get the active rule set',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: VersionedRuleSet },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    return { status: 200, body: present((await environmentRow(environmentId)).settings) };
  },
});

const putRules = operation({
  id: 'radar.put_rules',
  method: 'PUT',
  path: '/x/radar/rules',
  summary: 'Replace the active rule set',
  description:
    'The new rule set gets the next version, and is effective within five seconds. Test it with `POST /x/radar/simulate` first.',
  auth: apiKey,
  operator: 'config.change',
  body: RuleSet,
  ifMatch: getRules,
  dryRun: true,
  responses: { 200: VersionedRuleSet },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit }) {
    return { status: 200, body: await stageRules(unit, environmentId, body) };
  },
});

const resetRules = operation({
  id: 'radar.reset_rules',
  method: 'DELETE',
  path: '/x/radar/rules',
  summary: 'Restore the default rule set',
  auth: apiKey,
  operator: 'config.change',
  responses: { 200: VersionedRuleSet },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, unit }) {
    return { status: 200, body: await stageRules(unit, environmentId, undefined) };
  },
});

/** Maximum number of attempts in a simulation. */
const MOST_SIMULATED = 1_000;

const simulateRules = operation({
  id: 'radar.simulate',
  method: 'POST',
  path: '/x/radar/simulate',
  summary: 'Evaluate the last 1,000 attempts with another rule set',
  description:
    'The attempts are evaluated with the signals, counts and lists at the time of the attempt; nothing is changed. An attempt that ' +
    'was made moments ago may be missing.',
  auth: apiKey,
  operator: 'people.read',
  body: RuleSet,
  responses: { 200: Simulation },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body }) {
    const latest = await attempts.list('byCreation', { environmentId }).take(MOST_SIMULATED, 'desc');
    return { status: 200, body: simulate(body, latest) };
  },
});

export const ruleOperations = [
  getRules,
  putRules,
  resetRules,
  simulateRules,
  ...settingsOperations(radarSettings, {
    id: 'radar',
    path: '/x/radar/settings',
    subject: 'Radar',
    description: 'A change is effective within five seconds.',
  }),
] as const;

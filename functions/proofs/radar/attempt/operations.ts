import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { notFound } from '../../../kernel/errors.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { readTime } from '../../../kernel/id-format.ts';
import { internetAddress } from '../../../kernel/internet-address.ts';
import { operation } from '../../../kernel/operation.ts';
import { canonicalEmail } from '../engine/email.ts';
import { findRules } from '../rule-set/find.ts';
import { attempts, OPEN_MS } from './entity.ts';
import { assessAttempt } from './assess.ts';
import { measure } from './measure.ts';
import { AttemptResult, CreateAttempt, explain, ExplainedAttempt, presentResult, UpdateAttempt } from './schema.ts';
import { storeAttempt, stageSuccess } from './stage.ts';

const attemptNotFound = notFound('Radar attempt');

const createAttempt = operation({
  id: 'radar.create_attempt',
  method: 'POST',
  path: '/radar/attempts',
  summary: 'Assess an attempt to sign in or up',
  description:
    'Counts the attempt and evaluates the rule set of the environment. An entry of an allow list has precedence over one of a block list; without either, the most restrictive control decides. If the person signs in, report the success with `PUT /radar/attempts/{id}`; without it the attempt counts as unconfirmed. If the counters or lists cannot be read, the ' +
    'verdict is at least `challenge`, unless an entry of an allow list matches, or `brute_force_attack` is `off` or `log`.',
  auth: apiKey,
  body: CreateAttempt,
  responses: { 200: AttemptResult },
  errors: [],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, body, caller, unit, invalid }) {
    const { ip_address: ipAddress, user_agent: userAgent, email, auth_method: method, action } = body;
    if (internetAddress(ipAddress.trim().toLowerCase()) === undefined) {
      throw invalid([{ field: 'ip_address', code: 'invalid_value', message: 'expected an IPv4 or IPv6 address' }]);
    }
    if (canonicalEmail(email) === undefined) {
      throw invalid([{ field: 'email', code: 'invalid_email', message: 'expected an email address' }]);
    }
    const data = { environmentId, action, method, email, ipAddress, userAgent, signalsId: body.signals_id };
    const [measured, rules] = await awaitAll([unit.once('measure', () => measure(data)), findRules(environmentId)]);
    const { record, write, assessment } = assessAttempt(measured, rules, 'radar_att');
    await storeAttempt(environmentId, caller.actor, write);
    return { status: 200, body: presentResult(record.id, assessment) };
  },
});

const updateAttempt = operation({
  id: 'radar.update_attempt',
  method: 'PUT',
  path: '/radar/attempts/{id}',
  summary: 'Report that an attempt, or its challenge, was successful',
  description:
    'A success can be reported within a day; later the response is 404. `attempt_status` stores the device, the network and the location as known for the user; ' +
    'without it, devices remain unrecognized and travel is not evaluated. Reporting it again changes nothing, and it ' +
    'cannot be withdrawn.',
  auth: apiKey,
  body: UpdateAttempt,
  bodyOptional: 'tolerated',
  responses: { 204: null },
  errors: [attemptNotFound],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, params, body, unit, fail }) {
    const record = await attempts.get(environmentId, params.id);
    if (record === undefined || readTime(record.id) < clock.now() - OPEN_MS) throw fail(attemptNotFound);
    stageSuccess(unit, record, { challenge: body.challenge_status, attempt: body.attempt_status });
    return { status: 204 };
  },
});

const getAttempt = operation({
  id: 'radar.get_attempt',
  method: 'GET',
  path: '/x/radar/attempts/{id}',
  summary: 'Explain the assessment of an attempt',
  description:
    'Returns every signal with its value and source, or the reason why it was not evaluated, every control with its points, and every rule. The attempt is available for 30 days.',
  auth: apiKey,
  responses: { 200: ExplainedAttempt },
  errors: [attemptNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await attempts.get(environmentId, params.id);
    if (record === undefined || (record.expiresAt ?? 0) <= clock.seconds()) throw fail(attemptNotFound);
    return { status: 200, body: explain(record) };
  },
});

export const attemptOperations = [createAttempt, updateAttempt, getAttempt] as const;

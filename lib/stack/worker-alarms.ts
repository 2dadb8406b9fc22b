import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { METRICS } from '../../functions/kernel/metrics.ts';
import type { Topology } from '../topology/model.ts';
import { type AddAlarm, maxMetric, metric, MOST_METRICS, sumMetrics, type Watch } from './alarms.ts';
import { makeFunctionName, makeMailSet } from './names.ts';
import type { Queues } from './queues.ts';
import type { StageSettings } from './settings.ts';

/**
 * Maximum number of alarms for errors of workers on the bus, each for ten workers. Failures of the others appear in the
 * dead letters, hours later.
 */
const MOST_ERROR_ALARMS = 2;
/** Maximum number of alarms for schedules, each for ten. Their failures appear nowhere else. */
const MOST_SCHEDULE_ALARMS = 3;
/** Interval in minutes: schedules that run more often than this have an alarm on the share of failed runs in this time. */
const WINDOW_MINUTES = 15;

/** Shares of mail slightly below those at which SES reviews an account: 5 % and 0.1 %. */
const [MOST_BOUNCED, MOST_COMPLAINED] = [0.04, 0.0008];

/** The resources that the alarms of workers observe. */
export interface WatchedWorkers {
  topology: Topology;
  settings: StageSettings;
  queues: Queues;
}

/** Adds the alarms of workers. */
export function addWorkerAlarms(add: AddAlarm, watched: WatchedWorkers): void {
  const { topology, settings, queues } = watched;
  const of = (kind: string) => topology.functions.filter(({ source }) => source.kind === kind);
  add('dead-letters', deadLetters(queues));
  if (queues.work.length > 0) add('backlog', backlog(queues));
  const [relay] = of('stream');
  if (relay !== undefined) add('relay-lag', relayLag(relay.name, settings));
  if (topology.functions.some(({ needs }) => needs.includes('mail')))
    add('mail-undelivered', mailUndelivered(settings));
  if (topology.functions.some(({ needs }) => needs.includes('console-key'))) add('operators', operators(settings));
  const watch = <T>(title: string, groups: T[][], make: (group: readonly T[]) => Watch): void => {
    for (const [at, group] of groups.entries()) add(at === 0 ? title : `${title}-${at + 1}`, make(group));
  };
  const schedules = of('schedule').flatMap(({ name, source }) =>
    source.kind === 'schedule' ? [{ name, minutes: source.everyMinutes }] : [],
  );
  const frequent = chunks(schedules.filter(({ minutes }) => minutes < WINDOW_MINUTES));
  const rare = chunks(schedules.filter(({ minutes }) => minutes >= WINDOW_MINUTES));
  // Failures of schedules appear nowhere else, so all schedules must fit into alarms.
  if (frequent.length + rare.length > MOST_SCHEDULE_ALARMS) {
    throw new Error(`${schedules.length} schedules; alarms watch ${MOST_SCHEDULE_ALARMS * MOST_METRICS}`);
  }
  watch('schedule-failures', frequent, (group) => scheduleFailures(group, settings));
  watch('rare-schedule-failures', rare, (group) => rareScheduleFailures(group, settings));
  // Failures of a queue's worker and the relay also appear in the dead letters, the backlog and the lag, so these are
  // left out first.
  const others = chunks([...of('events'), ...of('queue'), ...of('stream')]).slice(0, MOST_ERROR_ALARMS);
  watch('worker-errors', others, (group) => workerErrors(group, settings));
}

function deadLetters(queues: Queues): Watch {
  const visible = (queueName: string) =>
    metric('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: queueName }, 'Maximum');
  return {
    metric: sumMetrics(queues.deadLetters.map(({ queueName }) => visible(queueName))),
    threshold: 0,
    description:
      'Work was given up; it is kept for 14 days. Read the error in the log and mend it. Then: relay: npm run events -- replay ' +
      'over the time of the entries, and purge the queue; workers: npm run events -- redrive; deliveries, messages, ' +
      'mail-feedback, audit-logs: start a redrive of that dead-letter queue to its source.',
  };
}

function backlog(queues: Queues): Watch {
  const ages = queues.work.map(({ queueName }) =>
    metric('AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: queueName }, 'Maximum'),
  );
  return {
    metric: maxMetric(ages),
    threshold: 600,
    periods: [5, 5],
    description:
      'Webhooks or mail wait over ten minutes. Look at the worker of the oldest queue: throttled (raise its concurrency ' +
      'in the topology), failing (worker-errors), or many slow endpoints (the list of attempts names them).',
  };
}

function relayLag(name: string, { stage }: StageSettings): Watch {
  return {
    metric: metric('AWS/Lambda', 'IteratorAge', { FunctionName: makeFunctionName(stage, name) }, 'Maximum'),
    threshold: 60_000,
    periods: [5, 3],
    description:
      'Events reach the bus over a minute late. Read the log of the relay: the bus rejecting events (EventBridge quota of ' +
      'PutEvents), a row it cannot put (it goes to the dead letters by itself), or more writes than it follows.',
  };
}

/**
 * The alarm for messages that could not be sent, or not in time (`countUndelivered` in functions/outbound/messages), and for so many
 * bounces that SES is about to review the account.
 */
function mailUndelivered({ stage }: StageSettings): Watch {
  const ofSet = (name: string) =>
    metric('AWS/SES', name, { 'ses:configuration-set': makeMailSet(stage) }, 'Maximum', 15);
  return {
    metric: new cloudwatch.MathExpression({
      expression: `FILL(undelivered, 0) + IF(FILL(bounced, 0) > ${MOST_BOUNCED}, 1, 0) + IF(FILL(complained, 0) > ${MOST_COMPLAINED}, 1, 0)`,
      usingMetrics: {
        undelivered: metric('Gatehouse', METRICS[0], { stage }, 'Sum', 15),
        bounced: ofSet('Reputation.BounceRate'),
        complained: ofSet('Reputation.ComplaintRate'),
      },
      period: Duration.minutes(15),
    }),
    threshold: 0,
    periods: [2, 1],
    description:
      'Mail or SMS was not sent: codes, links and invitations are missing. Query the log group for "message given up" and ' +
      '"message not sent yet" and read the reason: an identity that SES does not know (verify mailFrom), the SES sandbox or a paused ' +
      'account (its console says why), an SMS spending limit. What is still of use is sent by itself once that is mended. No such line: ' +
      'too much mail bounces or is complained of; look who invites or signs up with addresses that are none.',
  };
}

/** The alarm for operators of the console whose acts someone else has to look at (`operator_alarms`). */
function operators({ stage }: StageSettings): Watch {
  return {
    metric: metric('Gatehouse', METRICS[1], { stage }, 'Sum', 5),
    threshold: 0,
    description:
      'An emergency access to the console was opened, a call was made that a command had approved, or an operator has reached a limit of a day: removals of factors, revealed secrets or exports. Query the log group ' +
      'for operator_alarms to see who and why, and read the operators’ log. Without an explanation, end the sessions of that ' +
      'operator: npm run operators -- revoke EMAIL.',
  };
}

interface Scheduled {
  name: string;
  minutes: number;
}

const errorMetric = (name: string, stage: string, minutes: number) =>
  metric('AWS/Lambda', 'Errors', { FunctionName: makeFunctionName(stage, name) }, 'Sum', minutes);

function workerErrors(workers: readonly { name: string }[], { stage }: StageSettings): Watch {
  return {
    metric: sumMetrics(
      workers.map(({ name }) => errorMetric(name, stage, 5)),
      5,
    ),
    threshold: 4,
    description:
      'Workers fail: the graph of this alarm shows which. Query the log group for its name and level "error". Nothing is lost: work is retried, then kept as a dead letter.',
  };
}

/**
 * The alarm for schedules of which more than half of the runs fail for half an hour; after a single failed run the next one
 * does its work.
 */
function scheduleFailures(group: readonly Scheduled[], { stage }: StageSettings): Watch {
  const shares = group.map(({ minutes }, at) => `FILL(m${at}, 0) * ${minutes} / ${WINDOW_MINUTES}`);
  return {
    metric: new cloudwatch.MathExpression({
      expression: `MAX([${shares.join(', ')}])`,
      usingMetrics: Object.fromEntries(
        group.map(({ name }, at) => [`m${at}`, errorMetric(name, stage, WINDOW_MINUTES)]),
      ),
      period: Duration.minutes(WINDOW_MINUTES),
    }),
    threshold: 0.5,
    periods: [2, 2],
    description: SCHEDULE_DESCRIPTIONS,
  };
}

/** The alarm for rare schedules of which all three attempts of a run failed, or as many attempts of several runs in an hour. */
function rareScheduleFailures(group: readonly Scheduled[], { stage }: StageSettings): Watch {
  return {
    metric: maxMetric(
      group.map(({ name }) => errorMetric(name, stage, 60)),
      60,
    ),
    threshold: 2,
    description: SCHEDULE_DESCRIPTIONS,
  };
}

const SCHEDULE_DESCRIPTIONS =
  'A schedule keeps failing: the graph of this alarm shows which. Until that ends, its work is not done: domain checks, ' +
  'erasure, sealing of audit logs, retries of webhooks and mail. Query the log group for its name and level "error". It ' +
  'catches up by itself once it runs again.';

function chunks<T>(items: readonly T[], size = MOST_METRICS): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

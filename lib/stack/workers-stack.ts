import { Fn, Stack, type StackProps } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

import { type AddAlarm, alarmsTo, topicOf } from './alarms.ts';
import { API_ALARMS } from './api-alarms.ts';
import { addDashboard } from './dashboard.ts';
import { dataOf } from './data-stack.ts';
import { FunctionFactory, type ServiceProps } from './functions.ts';
import { busNameOf, logGroupNameOf } from './names.ts';
import { queuesOf } from './queues.ts';
import { connect, connectSchedule } from './triggers.ts';
import { addWorkerAlarms } from './worker-alarms.ts';

/**
 * The functions that are not started by requests, in a stack of their own: together with those of the API they would
 * exceed CloudFormation's limit of resources. It is deployed after the service stack, and finds its bus, queues, log
 * and topic by their names.
 */
export class WorkersStack extends Stack {
  constructor(scope: Construct, id: string, { topology, settings, codeOf }: ServiceProps, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: settings.protect });
    const { stage } = settings;
    const data = dataOf(this, settings);
    const bus = events.EventBus.fromEventBusName(this, 'Bus', busNameOf(stage));
    const queues = queuesOf(this, stage, topology.queues);
    const logGroup = logs.LogGroup.fromLogGroupName(this, 'Logs', logGroupNameOf(stage));
    const functions = new FunctionFactory({
      stack: this,
      topology,
      settings,
      codeOf,
      data,
      bus,
      queues,
      logGroup,
      baseUrl: data.baseUrl,
    });
    const addAlarm = alarmsTo(this, settings, topicOf(this, settings));
    const alarmNames: string[] = [...API_ALARMS];
    const addShownAlarm: AddAlarm = (name, watch) => {
      alarmNames.push(name);
      return addAlarm(name, watch);
    };
    const alarmsOf = addWorkerAlarms(addShownAlarm, { topology, settings, queues });
    // Here because this stack is deployed last, and so sees all there is to show.
    if (settings.dashboard) {
      const recordsTableName = Fn.select(1, Fn.split('/', data.recordsTable()));
      addDashboard(this, { topology, settings, apiId: data.apiId(), recordsTableName, queues, alarmNames });
    }
    const context = { bus, streamArn: data.recordsStream, queues, enabled: !settings.paused };
    for (const description of topology.functions.filter(({ source }) => source.kind !== 'http')) {
      const { name, source } = description;
      // A tenth of one run a minute is too little for a canary: a schedule's function has neither versions nor an
      // alias.
      if (source.kind === 'schedule') {
        connectSchedule(context, source, functions.add(description));
        continue;
      }
      const deployed = functions.addVersioned(description);
      functions.roll(deployed, alarmsOf(name));
      connect(context, description, deployed);
    }
  }
}

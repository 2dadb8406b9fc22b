import { Fn, Stack, type StackProps } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

import { type AddAlarm, alarmsTo, importTopic } from './alarms.ts';
import { API_ALARMS } from './api-alarms.ts';
import { addDashboard } from './dashboard.ts';
import { importData } from './data-stack.ts';
import { addDeployments } from './deployments.ts';
import { FunctionFactory, type ServiceProps } from './functions.ts';
import { busNameOf, logGroupNameOf } from './names.ts';
import { importQueues } from './queues.ts';
import { connect, connectSchedule } from './triggers.ts';
import { addWorkerAlarms } from './worker-alarms.ts';

/**
 * The stack of the functions that are invoked by events on the bus, by queues or by the table's stream, with the alarms of all
 * workers and the dashboard. In the stack of the API they would exceed CloudFormation's limit of resources for each stack. This
 * stack is deployed after the service stack.
 */
export class WorkersStack extends Stack {
  constructor(scope: Construct, id: string, given: ServiceProps, props: StackProps) {
    const { topology, settings } = given;
    super(scope, id, { ...props, terminationProtection: settings.protect });
    const { data, queues, functions, context } = importWorkers(this, given);
    const addStageAlarm = alarmsTo(this, settings, importTopic(this, settings));
    const alarmNames: string[] = [...API_ALARMS];
    const addAlarm: AddAlarm = (name, watch) => {
      alarmNames.push(name);
      return addStageAlarm(name, watch);
    };
    addWorkerAlarms(addAlarm, { topology, settings, queues });
    if (settings.dashboard) {
      const recordsTableName = Fn.select(1, Fn.split('/', data.recordsTable()));
      addDashboard(this, { topology, settings, apiId: data.apiId(), recordsTableName, queues, alarmNames });
    }
    const roll = addDeployments(this, settings);
    for (const description of topology.functions) {
      const { source } = description;
      if (source.kind === 'http' || source.kind === 'schedule') continue;
      const deployed = functions.addVersioned(description);
      roll(deployed, description);
      connect(context, description, deployed);
    }
  }
}

/**
 * The stack of the functions that schedules invoke, which is separate for the same reason. It is deployed after the workers
 * stack. A tenth of one run
 * a minute is too little for a canary, so these functions have neither versions nor an alias.
 */
export class SchedulesStack extends Stack {
  constructor(scope: Construct, id: string, given: ServiceProps, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: given.settings.protect });
    const { functions, context } = importWorkers(this, given);
    for (const description of given.topology.functions) {
      const { source } = description;
      if (source.kind === 'schedule') connectSchedule(context, source, functions.add(description));
    }
  }
}

/** The resources of the service stack, found by their names, and the functions that a stack adds to them. */
function importWorkers(stack: Stack, { topology, settings, bundledCode }: ServiceProps) {
  const { stage } = settings;
  const data = importData(stack, settings);
  const bus = events.EventBus.fromEventBusName(stack, 'Bus', busNameOf(stage));
  const queues = importQueues(stack, stage, topology.queues);
  const logGroup = logs.LogGroup.fromLogGroupName(stack, 'Logs', logGroupNameOf(stage));
  const functions = new FunctionFactory({
    stack,
    topology,
    settings,
    bundledCode,
    data,
    bus,
    queues,
    logGroup,
    baseUrl: data.baseUrl,
  });
  return {
    data,
    queues,
    functions,
    context: { bus, streamArn: data.recordsStream, queues, enabled: !settings.paused },
  };
}

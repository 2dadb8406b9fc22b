import { type App, Aspects, type Environment, Tags } from 'aws-cdk-lib';

import type { Topology } from '../topology/model.ts';
import { DataStack } from './data-stack.ts';
import { OrderOnce } from './dependencies.ts';
import { EDGE_REGION } from './edge-secret.ts';
import { EdgeStack } from './edge-stack.ts';
import type { CodeOf } from './functions.ts';
import { named } from './names.ts';
import { ServiceStack } from './service-stack.ts';
import type { StageSettings } from './settings.ts';
import { SchedulesStack, WorkersStack } from './workers-stack.ts';

/** The stacks of a stage. */
export interface Stage {
  data: DataStack;
  service: ServiceStack;
  workers: WorkersStack;
  schedules: SchedulesStack;
  edge: EdgeStack | undefined;
}

/** A topology without the functions of an area. */
const withoutArea = (topology: Topology, name: string): Topology => ({
  ...topology,
  functions: topology.functions.filter(({ area }) => area !== name),
});

/**
 * Adds a stage: `gatehouse-<stage>-data`, `-service`, `-workers` and `-schedules`, and with CloudFront `-edge`.
 * @param env account and region; left open when absent, so that synthesis needs neither credentials nor a network.
 */
export function addStage(
  app: App,
  {
    topology: whole,
    settings,
    bundledCode,
    env = {},
  }: { topology: Topology; settings: StageSettings; bundledCode: CodeOf; env?: Environment },
): Stage {
  const { stage } = settings;
  const topology = settings.console ? whole : withoutArea(whole, 'console');
  const data = new DataStack(app, named(stage, 'data'), topology, settings, {
    env,
    description: `Gatehouse ${stage}: what outlives every deployment.`,
  });
  const service = new ServiceStack(
    app,
    named(stage, 'service'),
    { topology, settings, bundledCode },
    {
      env,
      description: `Gatehouse ${stage}: API and its functions, bus and queues.`,
    },
  );
  const workers = new WorkersStack(
    app,
    named(stage, 'workers'),
    { topology, settings, bundledCode },
    { env, description: `Gatehouse ${stage}: functions that events and queues start.` },
  );
  const schedules = new SchedulesStack(
    app,
    named(stage, 'schedules'),
    { topology, settings, bundledCode },
    { env, description: `Gatehouse ${stage}: functions that schedules start.` },
  );
  workers.addStackDependency(service, 'the workers use its bus, queues, log and topic');
  // A function that moves to the schedules' stack must be removed from the workers' stack first, because it has the same
  // name in both.
  schedules.addStackDependency(workers, 'a stage that is upgraded has its schedules there');
  service.addStackDependency(data, 'the service reads where the data are');
  const edge = settings.cloudfront
    ? new EdgeStack(app, named(stage, 'edge'), settings, {
        env: { ...env, region: EDGE_REGION },
        description: `Gatehouse ${stage}: CloudFront and WAF.`,
      })
    : undefined;
  if (edge !== undefined) {
    edge.addStackDependency(data, 'it sends a secret of the data stack');
    service.addStackDependency(edge, 'functions may reject a secret only once CloudFront sends its successor');
  }
  Aspects.of(app).add(new OrderOnce());
  Tags.of(app).add('service', 'gatehouse');
  Tags.of(app).add('stage', stage);
  return { data, service, workers, schedules, edge };
}

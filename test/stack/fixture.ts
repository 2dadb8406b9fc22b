import { App, type Stack, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readFileSync } from 'node:fs';
import * as z from 'zod';

import { type Area, area } from '../../functions/kernel/area.ts';
import { apiKey } from '../../functions/kernel/authentication/api-key.ts';
import { messages } from '../../functions/kernel/http/error-response.ts';
import { operation } from '../../functions/kernel/operation.ts';
import type { TemplateJson } from '../../lib/stack/limits.ts';
import { stageSettings } from '../../lib/stack/settings.ts';
import { addStage } from '../../lib/stack/stage.ts';
import type { AccessTable } from '../../lib/topology/access.ts';
import { makeTopology } from '../../lib/topology/index.ts';
import type { Topology } from '../../lib/topology/model.ts';

const read = (path: string) =>
  operation({
    id: `fixture.${path}`,
    method: 'GET',
    path,
    summary: 'Read',
    auth: apiKey,
    responses: { 200: z.object({}) },
    errors: [],
    emits: [],
    idempotency: 'none',
    handle: async () => ({ status: 200, body: {} }),
  });

/** Areas that use every kind of trigger and every need. */
const areas: readonly Area[] = [
  area({
    name: 'houses',
    group: 'any',
    summary: 'Houses and their rooms',
    errorForm: messages,
    operations: [read('/houses'), read('/houses/{id}'), read('/houses/{houseId}/rooms/{id}'), read('/hosted/houses')],
    workers: [
      { name: 'relay', summary: 'Relays', on: { kind: 'stream' }, needs: ['stream', 'bus', 'table'], concurrency: 4 },
      {
        name: 'dispatch',
        summary: 'Dispatches',
        on: { kind: 'events', prefixes: ['house.', 'room.'], events: ['street.created'] },
        needs: ['table', 'queue:deliveries', 'queue:messages'],
      },
      { name: 'hear', summary: 'Hears everything', on: { kind: 'events' }, needs: ['table'] },
      {
        name: 'deliver',
        summary: 'Delivers',
        on: { kind: 'queue', queue: 'deliveries' },
        needs: ['egress', 'table', 'keys'],
        concurrency: 50,
      },
    ],
    needs: [
      'table',
      'keys',
      'signing-key',
      'connect-signing-key',
      'console-key',
      'portal-key',
      'rekey',
      'key-table',
      'base-url',
      'customer-keys',
      'organization-kms-keys',
      'organization-key-deletion',
      'evidence-key',
    ],
  }),
  area({
    name: 'console',
    group: 'any',
    summary: 'An area with an API of its own',
    errorForm: messages,
    ownApi: { admit: () => undefined },
    operations: [read('/console'), { ...read('/console/{path}'), freeText: 'path' }],
    workers: [],
    needs: ['table', 'base-url'],
  }),
  area({
    name: 'letters',
    group: 'any',
    summary: 'Letters',
    errorForm: messages,
    operations: [read('/letters/{id}')],
    workers: [
      { name: 'send', summary: 'Sends', on: { kind: 'queue', queue: 'messages' }, needs: ['mail', 'sms', 'table'] },
      {
        name: 'sweep',
        summary: 'Sweeps',
        on: { kind: 'schedule', everyMinutes: 1 },
        needs: ['table:read', 'dns'],
        concurrency: 1,
      },
      {
        name: 'tidy',
        summary: 'Tidies up',
        on: { kind: 'schedule', everyMinutes: 60 },
        needs: [],
        timeoutSeconds: 300,
      },
    ],
    needs: ['table'],
  }),
];

const house = { writes: ['house'], stamps: [], seals: [], opens: [] };

/** The access of the functions of the fixture: one of them does all that a function can do. */
const access: AccessTable = {
  keys: {
    records: { house: '#houses#*', credential: '#credential#*' },
    keys: { 'organization-key': '#organization-key#*' },
  },
  functions: {
    'houses-http': {
      writes: ['house', 'organization-key'],
      stamps: ['credential'],
      seals: ['deed', 'signing-key', 'connect-signing-key', 'console-grants', 'portal-grants'],
      opens: ['deed', 'signing-key', 'connect-signing-key', 'console-grants', 'portal-grants'],
    },
    'houses-relay': house,
    'houses-dispatch': house,
    'houses-hear': { ...house, writes: [], erases: true },
    'houses-deliver': { ...house, opens: ['deed'] },
    'console-http': house,
    'letters-http': house,
    'letters-send': house,
  },
};

/** The topology of the fixture. */
export const fixture: Topology = makeTopology(areas, access);

/** Settings of a stage behind CloudFront. */
export const EDGED = {
  stage: 'staging',
  cloudfront: 'true',
  domain: 'api.example.com',
  originDomain: 'origin.api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/1',
  edgeCertificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/2',
  consoleCertificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/3',
};

/** A resource of a template. */
export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

/** The templates of a stage. */
export interface Synthesised {
  data: Template;
  service: Template;
  /** The stacks of workers and of schedules as one. */
  workers: Template;
  edge: Template | undefined;
  /** True if each stack is protected from deletion. */
  terminationProtection: boolean[];
  /** The names of the stacks after which each stack is deployed. */
  deployedAfter: Record<string, string[]>;
  /** The template of each stack by the last part of its name. */
  stacks: Record<string, TemplateJson>;
}

const { context: pinned } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as {
  context: Record<string, unknown>;
};

/** Synthesises a stage offline, with placeholders for code, the flags of cdk.json and those given. */
export function synthesise(
  topology: Topology,
  flags: Record<string, unknown>,
  { nag = false }: { nag?: boolean } = {},
): Synthesised & { app: App } {
  // Synthesis warns about protected stages without these settings; a test of that leaves them out.
  const usual = { alarmEmail: 'ops@example.com', mailFrom: 'Gatehouse <no-reply@example.com>' };
  // The stages in cdk.json have a separate test.
  // No test reads where a construct was made, and reading the stack for each costs a tenth of a synthesis.
  const quick = { 'aws:cdk:disable-stack-trace': true };
  const given = Object.entries({ ...pinned, stages: {}, ...quick, ...usual, ...flags }).filter(
    ([, value]) => value !== undefined,
  );
  const app = new App({ context: Object.fromEntries(given) });
  // The CDK's validation of templates takes two thirds of the time of a synthesis, so only stages that cdk-nag checks have it.
  process.env.CDK_VALIDATION = String(nag);
  if (nag) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const made = addStage(app, {
    topology,
    settings: stageSettings(app.node),
    bundledCode: (name) => Code.fromInline(`exports.handler = async () => ${JSON.stringify(name)};`),
  });
  const last = (name: string): string => name.split('-').at(-1) ?? '';
  const { data, service, workers, schedules, edge } = made;
  const all: Stack[] = [data, service, workers, schedules, ...(edge === undefined ? [] : [edge])];
  const stacks = Object.fromEntries(
    all.map((stack) => [last(stack.stackName), Template.fromStack(stack).toJSON() as TemplateJson]),
  );
  const makeTemplate = (name: string): Template => Template.fromJSON(stacks[name] ?? {});
  return {
    app,
    stacks,
    data: makeTemplate('data'),
    service: makeTemplate('service'),
    workers: Template.fromJSON(joined(stacks.workers, stacks.schedules)),
    edge: edge && makeTemplate('edge'),
    terminationProtection: all.map((stack) => stack.terminationProtection),
    deployedAfter: Object.fromEntries(
      all.map((stack) => [last(stack.stackName), stack.dependencies.map((before) => last(before.stackName))]),
    ),
  };
}

/** Merges templates, whose resources have different ids. */
const joined = (...templates: (TemplateJson | undefined)[]): TemplateJson => ({
  Parameters: Object.assign({}, ...templates.map((template) => template?.Parameters)) as object as Record<
    string,
    unknown
  >,
  Resources: Object.assign({}, ...templates.map((template) => template?.Resources)) as TemplateJson['Resources'],
});

/** The resources of a type by logical id, in one template or in several. */
export function findResources(templates: Template | readonly Template[], type: string): Record<string, Resource> {
  const all = Array.isArray(templates) ? (templates as readonly Template[]) : [templates as Template];
  return Object.assign({}, ...all.map((template) => template.findResources(type))) as Record<string, Resource>;
}

import type { Template } from 'aws-cdk-lib/assertions';

import { type Resource, findResources } from './fixture.ts';

/** A function of a template with its related resources. */
export interface ReadFunction {
  /** The name within the stage, such as `webhooks-http`. */
  name: string;
  id: string;
  properties: Record<string, unknown>;
  variables: string[];
  /** `action on resource` for each grant; `deny action on resource` for each denial. */
  grants: Set<string>;
}

type Json = Record<string, unknown>;

/** Reads the templates of a stage's functions back into the terms of the topology. */
export class Reading {
  readonly templates: readonly Template[];
  readonly #stage: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<string, ReadFunction>;

  constructor({ service, workers }: { service: Template; workers: Template }, stage: string) {
    this.templates = [service, workers];
    this.#stage = stage;
    this.#names = new Map([
      ...this.#named('AWS::SQS::Queue', 'QueueName', 'queue'),
      ...this.#named('AWS::Events::EventBus', 'Name', 'bus'),
      ...this.#named('AWS::Logs::LogGroup', 'LogGroupName', 'logs'),
    ]);
    const functions = Object.entries(findResources(this.templates, 'AWS::Lambda::Function')).filter(
      ([, { Properties }]) => Properties.FunctionName !== undefined,
    );
    this.functions = new Map(functions.map((entry) => this.#readFunction(...entry)).map((fn) => [fn.name, fn]));
  }

  /** The function of an alias, by its `Ref`; or the function itself, by its ARN. */
  functionOfAlias(reference: unknown): string {
    const [own] = (reference as { 'Fn::GetAtt'?: string[] })['Fn::GetAtt'] ?? [];
    if (own !== undefined) return this.functionOfReference({ Ref: own });
    const [alias] = [...JSON.stringify(reference).matchAll(/"Ref":"([^"]+)"/g)].map(([, id]) => id);
    return this.functionOfReference(
      findResources(this.templates, 'AWS::Lambda::Alias')[alias ?? '']?.Properties.FunctionName,
    );
  }

  functionOfReference(reference: unknown): string {
    const id = (reference as { Ref?: string } | undefined)?.Ref;
    return [...this.functions.values()].find((fn) => fn.id === id)?.name ?? `unknown ${JSON.stringify(reference)}`;
  }

  /** A readable name for a resource, such as `records`, `records/gsi1` or `queue deliveries`; its JSON if there is none. */
  readWord(resource: unknown): string {
    const text = JSON.stringify(resource);
    const parameter =
      /SsmParameterValuegatehouse[a-z0-9]*?(recordstable|recordsstream|keystable|kmskey|evidencekey|firstkeysecret|auditrootsbucket|auditbucket)C96584/;
    const kept = parameter.exec(text)?.[1];
    if (kept !== undefined)
      return `${kept}${/"(\/index\/gsi\d)"/.exec(text)?.[1] ?? ''}${text.includes('"/*"') ? ' objects' : ''}`;
    const id = (resource as { 'Fn::GetAtt'?: string[] })['Fn::GetAtt']?.[0];
    const name = this.#names.get(id ?? '');
    if (name !== undefined) return name;
    const [, queue] = /:sqs:.*:gatehouse-[a-z0-9]+-([a-z-]+)"/.exec(text) ?? [];
    if (queue !== undefined) return `queue ${queue}`;
    const [, bus] = /:event-bus\/([a-z0-9-]+)"/.exec(text) ?? [];
    if (bus !== undefined) return `bus ${bus}`;
    const [, group] = /:log-group:([^:"]+):\*"/.exec(text) ?? [];
    if (group !== undefined) return `logs ${group}`;
    const [, kind, sender] = /:(identity|configuration-set)\/([^"]+)"/.exec(text) ?? [];
    return kind === undefined ? text : `${kind} ${sender}`;
  }

  *#named(type: string, property: string, word: string): Generator<[string, string]> {
    for (const [id, { Properties }] of Object.entries(findResources(this.templates, type))) {
      const name = String(Properties[property]).replace(`gatehouse-${this.#stage}-`, '');
      yield [id, `${word} ${name}`];
    }
  }

  #readFunction(id: string, { Properties }: Resource): ReadFunction {
    const roleId = (Properties.Role as { 'Fn::GetAtt': string[] })['Fn::GetAtt'][0] ?? '';
    const role = findResources(this.templates, 'AWS::IAM::Role')[roleId];
    const policies = (role?.Properties.Policies ?? []) as { PolicyDocument: { Statement: Json[] } }[];
    return {
      name: String(Properties.FunctionName).replace(`gatehouse-${this.#stage}-`, ''),
      id,
      properties: Properties,
      variables: Object.keys((Properties.Environment as { Variables?: Json } | undefined)?.Variables ?? {}).sort(),
      grants: new Set(
        policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap((each) => this.#words(each))),
      ),
    };
  }

  #words({ Effect, Action, Resource: resources }: Json): string[] {
    const list = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]);
    return list(Action).flatMap((action) =>
      list(resources).map((each) => `${Effect === 'Deny' ? 'deny ' : ''}${String(action)} on ${this.readWord(each)}`),
    );
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import {
  Event,
  eventCatalogue,
  eventNames,
  subscribableEventNames,
  type EventData,
} from '../../../functions/kernel/events/catalogue/index.ts';
import { contractEventNames, furtherEventNames } from '../../../functions/kernel/events/catalogue/names.ts';
import { organizationEvents } from '../../../functions/kernel/events/catalogue/organizations.ts';

const FOLDER = join(import.meta.dirname, '../../../functions/kernel/events/catalogue');
const NOT_FAMILIES = ['context.ts', 'family.ts', 'index.ts', 'names.ts', 'values.ts'];
const families = readdirSync(FOLDER).filter((file) => !NOT_FAMILIES.includes(file));

const TIME = '2026-01-15T12:00:00.000Z';

const organization: EventData<'organization.created'> = {
  object: 'organization',
  id: 'org_01KF0000000000000000000000',
  name: 'Acme',
  domains: [
    {
      object: 'organization_domain',
      id: 'org_domain_01KF0000000000000000000000',
      organization_id: 'org_01KF0000000000000000000000',
      domain: 'acme.example',
      state: 'verified',
      created_at: TIME,
      updated_at: TIME,
    },
  ],
  metadata: { tier: 'gold' },
  external_id: null,
  created_at: TIME,
  updated_at: TIME,
};

const credential: EventData<'agent.registration.credential.issued'> = {
  object: 'agent_registration_credential',
  id: 'agent_reg_credential_01KF0000000000000000000000',
  agent_registration_id: 'agent_reg_01KF0000000000000000000000',
  detail: { kind: 'access_token', jti: 'jti_1', expires_at: null },
  created_at: TIME,
  updated_at: TIME,
};

const event = <Name extends Event['event']>(name: Name, data: EventData<Name>) => ({
  object: 'event' as const,
  id: 'event_01KF0000000000000000000000',
  event: name,
  data,
  created_at: TIME,
});

describe('the event names', () => {
  test('are exactly the 127 published ones and 6 additional ones, each with a schema', () => {
    expect(contractEventNames).toHaveLength(127);
    expect(furtherEventNames).toHaveLength(6);
    expect(eventNames).toEqual([...contractEventNames, ...furtherEventNames]);
    expect(new Set(eventNames).size).toBe(133);
    expect(Object.keys(eventCatalogue).sort()).toEqual([...eventNames].sort());
  });

  test('can be subscribed to: the 105 that the contract lists, and the additional ones', () => {
    const marked = eventNames.filter((name) => eventCatalogue[name].subscribable);
    expect(subscribableEventNames).toHaveLength(111);
    expect([...subscribableEventNames].sort()).toEqual([...marked].sort());
  });
});

describe('a family of events', () => {
  test('contains events of no other family', async () => {
    const names: string[] = [];
    for (const file of families) {
      const exported = (await import(join(FOLDER, file))) as Record<string, object>;
      const family = Object.entries(exported).find(([name]) => name.endsWith('Events'));
      names.push(...Object.keys(family?.[1] ?? {}));
    }
    expect(names.sort()).toEqual([...eventNames].sort());
  });

  test.each(families)('%s loads no other family and no package except zod', (file) => {
    const imported = [
      ...readFileSync(join(FOLDER, file), 'utf8').matchAll(/^(?:import|export) (?!type)[^;]* from '([^']+)';/gm),
    ];
    const sources = imported.map(([, source]) => source);
    expect(sources.filter((source) => source !== 'zod' && source !== './values.ts')).toEqual([]);
  });
});

describe('an event', () => {
  const context = {
    client_id: 'client_01KF0000000000000000000000',
    actor: { id: 'user_1', source: 'api' as const, name: null },
    previous_attributes: { name: 'Old', domains: [] },
  };

  test.each([
    ['an organization', event('organization.created', organization)],
    ['a variant of its data', event('agent.registration.credential.issued', credential)],
    ['a null context', { ...event('organization.created', organization), context: null }],
    ['a context', { ...event('organization.created', organization), context }],
  ])('is parsed unchanged: %s', (_, sent) => {
    expect(JSON.parse(JSON.stringify(Event.parse(sent)))).toEqual(sent);
  });

  test('keeps only the members that its schema declares', () => {
    const leaking = { ...organization, signing_key: 'hidden' };
    expect(organizationEvents['organization.created'].data.parse(leaking)).toEqual(organization);
  });

  test('is rejected with the data of another event', () => {
    const parsed = Event.safeParse({ ...event('organization.created', organization), event: 'user.created' });
    expect(parsed.success).toBe(false);
  });

  test('is rejected under a name that is not published', () => {
    const parsed = Event.safeParse({ ...event('organization.created', organization), event: 'organization.renamed' });
    expect(parsed.success).toBe(false);
  });

  test.each(['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.000+01:00', '1768478400000', ''])(
    'is rejected with the time %j, which is not UTC with milliseconds',
    (created_at) => {
      const { data } = organizationEvents['organization.created'];
      expect(data.safeParse({ ...organization, created_at }).success).toBe(false);
    },
  );
});

describe('the published schema', () => {
  interface Node {
    properties?: Record<string, Node>;
    [keyword: string]: unknown;
  }

  /** The dotted names of all members below a schema. */
  function findMembers(node: unknown, path = ''): string[] {
    if (Array.isArray(node)) return node.flatMap((own) => findMembers(own, path));
    if (typeof node !== 'object' || node === null) return [];
    const { properties = {}, ...keywords } = node as Node;
    const own = Object.entries(properties).flatMap(([name, below]) => [
      `${path}.${name}`,
      ...findMembers(below, `${path}.${name}`),
    ]);
    return [...own, ...Object.values(keywords).flatMap((below) => findMembers(below, path))];
  }

  test('names the context, its actor, and the payloads that several events have, as components', () => {
    const { $defs = {} } = z.toJSONSchema(Event);
    const [payloads, others] = [true, false].map((isPayload) =>
      Object.keys($defs).filter((name) => name.startsWith('EventData.') === isPayload),
    );
    expect(others?.sort()).toEqual(['EventContextActorDto', 'EventContextDto', 'EventSchema']);
    expect(payloads).toEqual(expect.arrayContaining(['EventData.organization', 'EventData.user']));
  });

  test('has no member for a secret: no password, code, key value or usable token', () => {
    const secret = /\.(password|code|secret|value|token|[a-z_]*(_secret|_token|_hash|_key))$/;
    const found = eventNames.flatMap((name) =>
      findMembers(z.toJSONSchema(eventCatalogue[name].data)).filter((path) => secret.test(path)),
    );
    // The following members are not secrets: a domain's verification token is published in DNS, an error has a code, a directory user's
    // email a value.
    const known = ['.code', '.external_key', '.value', '.verification_token'];
    expect([...new Set(found.map((path) => path.slice(path.lastIndexOf('.'))))].sort()).toEqual(known);
    expect(found.filter((path) => /\.(code|value)$/.test(path)).every((path) => /error|emails/.test(path))).toBe(true);
  });
});

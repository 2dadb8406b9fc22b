import type * as z from 'zod';

import { apiKey } from './authentication/api-key.ts';
import { environmentOf, forgetEnvironment } from './authentication/environment.ts';
import { Failure, general } from './errors.ts';
import type { RefusalForm } from './http/refusal.ts';
import { log } from './log.ts';
import { operation } from './operation.ts';
import { environments } from './storage/environment.ts';

/** One section of an environment's settings: what an area lets its operator choose. */
export interface SettingsSection<S extends z.ZodType> {
  /** Its name within the environment's settings. */
  name: string;
  /** What is set, on the wire and stored alike: each member has a default, so that an empty object is a section too. */
  schema: S;
}

/**
 * A section as an environment has it: nothing while the environment is remembered, which it is wherever its key was, else
 * one GetItem. What is not set, or not readable any more, is the schema's default.
 */
export async function settingsOf<S extends z.ZodType>(
  environmentId: string,
  { name, schema }: SettingsSection<S>,
): Promise<z.output<S>> {
  return sectionOf((await environmentOf(environmentId))?.settings, { name, schema });
}

function sectionOf<S extends z.ZodType>(stored: unknown, { name, schema }: SettingsSection<S>): z.output<S> {
  const parsed = schema.safeParse((stored as Record<string, unknown> | undefined)?.[name] ?? {});
  if (parsed.success) return parsed.data;
  log.warn('a section of settings makes no sense', { section: name });
  return schema.parse({});
}

/** Stored members that the section has no more: whoever takes them over still reads them. */
function formerMembers(stored: Record<string, unknown> | undefined, section: SettingsSection<z.ZodType>): object {
  const known = Object.keys(sectionOf({ [section.name]: stored }, section) as object);
  return Object.fromEntries(Object.entries(stored ?? {}).filter(([name]) => !known.includes(name)));
}

/** What the operations of a section are called. */
export interface SettingsOperations {
  /** Prefix of the operations' ids: `pipes` has `pipes.get_settings` and `pipes.update_settings`. */
  id: string;
  /** Below `/x/`. */
  path: string;
  /** What the settings are for, as in "settings for connected accounts". */
  subject: string;
  description: string;
  /** What replaces the section, where more is to be said of it than its schema says; it parses to the same. */
  body?: z.ZodType;
  /** How they refuse; as their area when absent. */
  refusals?: RefusalForm;
}

/** The operations that read a section and replace it: another instance sees a change within five seconds. */
export function settingsOperations(section: SettingsSection<z.ZodType>, named: SettingsOperations) {
  const common = { path: named.path, auth: apiKey, errors: [], emits: [], idempotency: 'none' } as const;
  const refusals = named.refusals && { refusals: named.refusals };
  return [
    operation({
      ...common,
      ...refusals,
      id: `${named.id}.get_settings`,
      method: 'GET',
      summary: `Get the environment’s settings for ${named.subject}`,
      responses: { 200: section.schema },
      async handle({ environmentId }) {
        const environment = await environments.get(environmentId, environmentId);
        return { status: 200, body: sectionOf(environment?.settings, section) };
      },
    }),
    operation({
      ...common,
      ...refusals,
      id: `${named.id}.update_settings`,
      method: 'PUT',
      summary: `Replace the environment’s settings for ${named.subject}`,
      description: named.description,
      body: named.body ?? section.schema,
      responses: { 200: section.schema },
      async handle({ environmentId, body, unit }) {
        const environment = await environments.get(environmentId, environmentId);
        // Deleted while its key was still remembered.
        if (environment === undefined) throw new Failure(general.unauthorized);
        const stored = environment.settings as Record<string, Record<string, unknown> | undefined> | undefined;
        const kept = formerMembers(stored?.[section.name], section);
        const settings = { ...stored, [section.name]: { ...kept, ...(body as object) } };
        unit.stage(environments.revise(environment, { settings }).write);
        forgetEnvironment(environmentId);
        return { status: 200, body };
      },
    }),
  ] as const;
}

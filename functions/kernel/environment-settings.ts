import type * as z from 'zod';

import { apiKey } from './authentication/api-key.ts';
import { findEnvironment, forgetEnvironment } from './authentication/environment.ts';
import { effectiveSettings } from './authentication/operators-settings.ts';
import { Failure, general, orFail } from './errors.ts';
import type { ErrorForm } from './http/error-response.ts';
import { log } from './log.ts';
import { operation } from './operation.ts';
import { environments } from './storage/environment.ts';
import type { Unit } from './storage/unit.ts';

/** One section of an environment's settings: the options of an area for its operator. */
export interface SettingsSection<S extends z.ZodType> {
  /** The section's name within the environment's settings. */
  name: string;
  /**
   * The members, with the same names in the API and the stored settings. Each has a default, so that an empty object is a
   * valid section.
   */
  schema: S;
}

/**
 * Reads a section of an environment's settings. It reads nothing while the environment is cached, which the authentication
 * by a key does as well; otherwise it takes one GetItem. Members that are not set, or no longer valid, have the schema's
 * default.
 */
export async function findSettings<S extends z.ZodType>(
  environmentId: string,
  { name, schema }: SettingsSection<S>,
): Promise<z.output<S>> {
  const stored: unknown = (await findEnvironment(environmentId))?.settings;
  return readSection(effectiveSettings(environmentId, stored), { name, schema });
}

/** Reads a section as it is stored now, by one strongly consistent GetItem: a version that `If-Match` compares is never an older one. */
export async function readStoredSettings<S extends z.ZodType>(
  environmentId: string,
  section: SettingsSection<S>,
): Promise<z.output<S>> {
  const environment = await environments.get(environmentId, environmentId);
  return readSection(effectiveSettings(environmentId, environment?.settings), section);
}

/**
 * Stages the members of a section: other instances see a change within five seconds.
 * @param change makes the members from the stored ones; two calls that change them at the same time are applied one after the other
 * @throws Failure 401 if the environment was deleted while its key was still cached
 */
export async function stageSettings<S extends z.ZodType<object>>(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  section: SettingsSection<S>,
  change: (current: z.output<S>) => object,
): Promise<void> {
  const environment = await orFail(
    environments.get(environmentId, environmentId),
    () => new Failure(general.unauthorized),
  );
  const stored = environment.settings as Record<string, Record<string, unknown> | undefined> | undefined;
  const kept = formerMembers(stored?.[section.name], section);
  const settings = { ...stored, [section.name]: { ...kept, ...change(readSection(stored, section)) } };
  unit.stage(environments.revise(environment, { settings }).write);
  forgetEnvironment(environmentId);
}

function readSection<S extends z.ZodType>(stored: unknown, { name, schema }: SettingsSection<S>): z.output<S> {
  const parsed = schema.safeParse((stored as Record<string, unknown> | undefined)?.[name] ?? {});
  if (parsed.success) return parsed.data;
  log.warn('a section of settings makes no sense', { section: name });
  return schema.parse({});
}

/** Stored members that the section no longer has, for the code that moves them to another section. */
function formerMembers(stored: Record<string, unknown> | undefined, section: SettingsSection<z.ZodType>): object {
  const known = Object.keys(readSection({ [section.name]: stored }, section) as object);
  return Object.fromEntries(Object.entries(stored ?? {}).filter(([name]) => !known.includes(name)));
}

/** The names and texts of the two operations of a section. */
export interface SettingsOperations {
  /** Prefix of the operations' ids: `pipes` has `pipes.get_settings` and `pipes.update_settings`. */
  id: string;
  /** The path of the operations, below `/x/`. */
  path: string;
  /** The subject of the settings, as in "settings for connected accounts". */
  subject: string;
  /** The facts that callers must know in addition to the subject. */
  description?: string;
  /** The schema of the body of the PUT, if it differs from the section's; it parses to the same type. */
  body?: z.ZodType;
  /** The format of their error responses; that of their area if absent. */
  errorForm?: ErrorForm;
}

/** Said of every PUT of a section: a body with one member only would reset the others. */
export const REPLACES_SETTINGS =
  'An absent member gets its default: to change one, send what the GET returned with the change, and its `ETag` as `If-Match`.';

/** Makes the operations that read and replace a section: other instances see a change within five seconds. */
export function settingsOperations(section: SettingsSection<z.ZodType>, named: SettingsOperations) {
  const common = { path: named.path, auth: apiKey, errors: [], emits: [], idempotency: 'none' } as const;
  const errorForm = named.errorForm && { errorForm: named.errorForm };
  const read = operation({
    ...common,
    ...errorForm,
    id: `${named.id}.get_settings`,
    method: 'GET',
    operator: 'config.read',
    etag: true,
    summary: `Get the environment’s settings for ${named.subject}`,
    responses: { 200: section.schema },
    async handle({ environmentId }) {
      return { status: 200, body: await readStoredSettings(environmentId, section) };
    },
  });
  return [
    read,
    operation({
      ...common,
      ...errorForm,
      id: `${named.id}.update_settings`,
      method: 'PUT',
      operator: 'config.change',
      ifMatch: read,
      dryRun: true,
      summary: `Replace the environment’s settings for ${named.subject}`,
      description: named.description === undefined ? REPLACES_SETTINGS : `${named.description} ${REPLACES_SETTINGS}`,
      body: named.body ?? section.schema,
      responses: { 200: section.schema },
      async handle({ environmentId, body, unit }) {
        await stageSettings(unit, environmentId, section as SettingsSection<z.ZodType<object>>, () => body as object);
        return { status: 200, body };
      },
    }),
  ] as const;
}

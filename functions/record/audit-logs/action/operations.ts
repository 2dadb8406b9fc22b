import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { newId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { actions, findAction, isAction, SCHEMA_OWNER, type SchemaRecord, schemas } from './entity.ts';
import { actionNotFound, invalidActionName, schemaTooLarge } from './errors.ts';
import {
  ActionList,
  actionName,
  CreateSchema,
  ListActions,
  ListSchemas,
  MAX_SCHEMA_BYTES,
  presentAction,
  presentSchema,
  Schema,
  SchemaList,
} from './schema.ts';

export const listActions = operation({
  id: 'audit_logs.list_actions',
  method: 'GET',
  path: '/audit_logs/actions',
  summary: 'List audit log actions with their newest schemas',
  description: 'A cursor that is not an action of this environment is rejected with a 404. Actions are never deleted.',
  auth: apiKey,
  operator: 'config.read',
  query: ListActions,
  responses: { 200: ActionList },
  errors: [actionNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    const cursor = query.before ?? query.after;
    if (cursor !== undefined && !(await isAction(environmentId, cursor))) throw fail(actionNotFound);
    const body = await readPage(
      query,
      (page) => actions.list('byCreation', { environmentId }).toPage(page),
      presentAction,
    );
    return { status: 200, body };
  },
});

export const listSchemas = operation({
  id: 'audit_logs.list_schemas',
  method: 'GET',
  path: '/audit_logs/actions/{actionName}/schemas',
  freeText: 'actionName',
  summary: 'List the versions of an action’s schema',
  auth: apiKey,
  operator: 'config.read',
  query: ListSchemas,
  responses: { 200: SchemaList },
  errors: [actionNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { actionName: action }, query, fail }) {
    if ((await findAction(environmentId, action)) === undefined) throw fail(actionNotFound);
    const find = (page: Window) => schemas.list('byAction', { environmentId, action }).toPage(page);
    const body = await readPage(query, find, (record: SchemaRecord) => presentSchema(record));
    return { status: 200, body };
  },
});

export const createSchema = operation({
  id: 'audit_logs.create_schema',
  method: 'POST',
  path: '/audit_logs/actions/{actionName}/schemas',
  freeText: 'actionName',
  summary: 'Add a version of an action’s schema; creates the action if it does not exist',
  description:
    'Schemas of metadata are JSON Schema 2020-12 for flat objects: `type`, `enum`, `const`, bounds of lengths and ' +
    'numbers, `format`, `required`, `additionalProperties`. Other keywords are rejected. Events without a `version` are ' +
    'validated against the newest one, at most five seconds after it was created.',
  auth: apiKey,
  operator: 'config.change',
  body: CreateSchema,
  responses: { 201: Schema },
  errors: [invalidActionName, schemaTooLarge],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, params: { actionName: action }, body, unit, fail }) {
    if (!actionName.safeParse(action).success) throw fail(invalidActionName);
    const text = JSON.stringify(body);
    if (Buffer.byteLength(text) > MAX_SCHEMA_BYTES) throw fail(schemaTooLarge);
    const known = await findAction(environmentId, action);
    const schema = schemas.create({
      environmentId,
      id: newId('als'),
      owner: SCHEMA_OWNER,
      action,
      schemaVersion: (known?.latestVersion ?? 0) + 1,
      body: text,
    });
    const { schemaVersion: latestVersion, createdAt: latestAt } = schema.record;
    const latest = { latestVersion, latestAt, latestBody: text };
    unit.stage([
      schema.write,
      known === undefined
        ? actions.create({ environmentId, id: newId('ala'), owner: SCHEMA_OWNER, name: action, ...latest }).write
        : actions.revise(known, latest).write,
    ]);
    return { status: 201, body: presentSchema(schema.record) };
  },
});

export const actionOperations = [listActions, listSchemas, createSchema] as const;

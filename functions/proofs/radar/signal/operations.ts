import * as z from 'zod';

import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { clientInBody, invalidClient, missingClient } from '../../../kernel/authentication/client.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { countAddress } from '../../../kernel/limits/count-attempt.ts';
import { operation } from '../../../kernel/operation.ts';
import { SIGNALS_PATH, SIGNALS_SCRIPT } from '../../../kernel/pages/signals-script.ts';
import { newSignals, SIGNALS_SECONDS } from './use.ts';

const CreateSignals = z
  .object({
    client_id: z.string().max(255).describe('The client id of the environment.'),
    automation: z.boolean().describe('True if the browser reports that a program controls it.'),
    device: z
      .string()
      .regex(/^[0-9A-Za-z_-]{16,128}$/, 'Expected 16 to 128 letters, digits, "_" and "-"')
      .optional()
      .describe('A random id of the device, which the script stores in the browser.'),
  })
  .meta({ id: 'CreateRadarSignalsDto' });

const CreatedSignals = z
  .object({
    signals_id: z.string().describe('The id of the signals, which can be used for one attempt.'),
    expires_in: z.int().describe('The time in seconds within which it can be used.'),
  })
  .meta({ id: 'RadarSignals' });

const createSignals = operation({
  id: 'radar.create_signals',
  method: 'POST',
  path: SIGNALS_PATH,
  summary: 'Report the signals of a browser',
  description:
    'The script of Radar calls it, without a key. The page passes `signals_id` to your server, which sends it with the attempt or the ' +
    'sign-in. Pages of registered origins can read the response. A program can send any values here, so rules should use this device as a weak signal only.',
  auth: clientInBody,
  browser: true,
  body: CreateSignals,
  responses: { 201: CreatedSignals },
  errors: [invalidClient, missingClient],
  errorForm: messagesWith400,
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, request }) {
    await countAddress(unit, environmentId, 'radar-signals.address', request.sourceIp);
    const { signalsId, write } = newSignals(environmentId, body);
    unit.stage(write);
    const headers = { 'cache-control': 'no-store' };
    return { status: 201, headers, body: { signals_id: signalsId, expires_in: SIGNALS_SECONDS } };
  },
});

/** Time in seconds for which browsers cache the script, whose name does not change with its content. */
const SCRIPT_SECONDS = 3_600;

const getScript = operation({
  id: 'radar.script',
  method: 'GET',
  path: '/x/radar/signals.js',
  summary: 'Get the script of Radar',
  description:
    'Returns a script for pages of registered origins, which include it with `<script src="…/x/radar/signals.js" defer></script>`. It fills `<input type="hidden" ' +
    'name="signals_id" data-signals="CLIENT_ID">`, or `gatehouseRadar.collect(clientId)` returns an id.',
  auth: anyCaller,
  responses: { 200: z.string().meta({ contentMediaType: 'text/javascript' }) },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle() {
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': `public, max-age=${SCRIPT_SECONDS}`,
      'cross-origin-resource-policy': 'cross-origin',
    };
    return { status: 200, body: SIGNALS_SCRIPT, headers };
  },
});

export const signalOperations = [createSignals, getScript] as const;

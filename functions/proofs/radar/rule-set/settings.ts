import * as z from 'zod';

const RadarSettings = z
  .object({
    sign_in: z
      .enum(['off', 'lists', 'all'])
      .default('lists')
      .describe(
        'The part of Radar that assesses sign-ins of this service: `off` none, `lists` only the block and allow lists, `all` ' +
          'the whole rule set, which counts each attempt. The control `unrecognized_device` is not used for these sign-ins: new devices are subject to `new_device` of the ' +
          'settings for signing in.',
      ),
  })
  .meta({ id: 'RadarSettings' });

/** The section of an environment's settings that this area serves. */
export const radarSettings = { name: 'radar', schema: RadarSettings };

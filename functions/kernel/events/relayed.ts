import { MESSAGE_ROW } from '../messages/entity.ts';
import { OUTBOX_ROW } from '../storage/outbox.ts';
import { WORK_ROW } from '../storage/work.ts';
import { EVENT_ROW } from './entity.ts';

/** The kinds of rows, by their ElectroDB entity name, whose inserts the relay gets from the stream. */
export const RELAYED_ROWS: readonly string[] = [EVENT_ROW, MESSAGE_ROW, OUTBOX_ROW, WORK_ROW];

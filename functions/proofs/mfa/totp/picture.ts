import { crc32, deflateSync } from 'node:zlib';

import { encode } from 'uqr';

/** Pixels of a module, and modules of the quiet zone around the code (ISO/IEC 18004 section 9.1). */
const MODULE = 6;
const QUIET = 4;

/** The signature of a PNG (PNG specification, third edition, section 5.2). */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A text's QR code as a data URI of a PNG: every browser, mail program and native app displays it, whereas an SVG stays
 * blank in some. One bit a pixel: a kilobyte or two.
 * @throws RangeError for a text of more than 2,953 bytes, the capacity of a QR code
 */
export function qrCode(text: string): string {
  const { data: modules, size } = encode(text, { ecc: 'L', boostEcc: true, border: QUIET });
  const width = size * MODULE;
  const row = Buffer.alloc(1 + Math.ceil(width / 8));
  const lines = modules.flatMap((line) => {
    row.fill(0);
    for (let x = 0; x < width; x += 1) {
      // A one is white (greyscale of one bit). The byte in front of each row of pixels names the filter, which is none.
      if (!line[Math.floor(x / MODULE)]) row[1 + (x >> 3)] = (row[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
    return Array.from({ length: MODULE }, () => Buffer.from(row));
  });
  const picture = [SIGNATURE, chunk('IHDR', header(width)), chunk('IDAT', deflateSync(Buffer.concat(lines))), END];
  return `data:image/png;base64,${Buffer.concat(picture).toString('base64')}`;
}

/**
 * The header: width, height, one bit of greyscale, and 0 for the compression, filter and interlace methods (section
 * 11.2.1).
 */
function header(width: number): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(width, 4);
  bytes.writeUInt8(1, 8);
  return bytes;
}

/** A chunk: length, type, data and the CRC of type and data (section 5.3). */
function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}

const END = chunk('IEND', Buffer.alloc(0));

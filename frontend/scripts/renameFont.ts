const HEADER_BYTES = 12;
const RECORD_BYTES = 16;
const WINDOWS = { platform: 3, encoding: 1, language: 0x0409 };

interface Table {
  tag: string;
  data: Buffer;
}

/** Renames a TrueType font: replaces the `name` table with the new family, full and PostScript names and the licence notice. */
export function renameFont(font: Buffer, family: string): Buffer {
  const tables = readTables(font).map((table) => (table.tag === 'name' ? { tag: 'name', data: nameTable(family) } : table));
  return writeTables(font.readUInt32BE(0), tables);
}

function readTables(font: Buffer): Table[] {
  return Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const record = HEADER_BYTES + index * RECORD_BYTES;
    const offset = font.readUInt32BE(record + 8);
    return {
      tag: font.toString('latin1', record, record + 4),
      data: font.subarray(offset, offset + font.readUInt32BE(record + 12)),
    };
  });
}

function nameTable(family: string): Buffer {
  const postScript = family.replaceAll(' ', '');
  const names: [id: number, text: string][] = [
    [0, 'Copyright (c) 2021 Kil Hyung-jin. A modified version; the original has the Reserved Font Name listed in OFL.txt.'],
    [1, family],
    [2, 'Regular'],
    [3, `${postScript}-Variable`],
    [4, family],
    [5, 'Version 1.309'],
    [6, `${postScript}-Variable`],
    [13, 'This Font Software is licensed under the SIL Open Font License, Version 1.1.'],
    [14, 'https://scripts.sil.org/OFL'],
    [16, family],
  ];
  const header = Buffer.alloc(6 + names.length * 12);
  header.writeUInt16BE(names.length, 2);
  header.writeUInt16BE(header.length, 4);
  let offset = 0;
  const texts = names.map(([id, text], index) => {
    const utf16 = Buffer.from(text, 'utf16le').swap16();
    const record = 6 + index * 12;
    [WINDOWS.platform, WINDOWS.encoding, WINDOWS.language, id, utf16.length, offset].forEach((value, field) =>
      header.writeUInt16BE(value, record + field * 2),
    );
    offset += utf16.length;
    return utf16;
  });
  return Buffer.concat([header, ...texts]);
}

function writeTables(version: number, tables: Table[]): Buffer {
  const power = Math.floor(Math.log2(tables.length));
  const directory = Buffer.alloc(HEADER_BYTES + tables.length * RECORD_BYTES);
  directory.writeUInt32BE(version, 0);
  directory.writeUInt16BE(tables.length, 4);
  directory.writeUInt16BE(2 ** power * 16, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(tables.length * 16 - 2 ** power * 16, 10);
  let offset = directory.length;
  const bodies = tables.map(({ tag, data }, index) => {
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    const record = HEADER_BYTES + index * RECORD_BYTES;
    directory.write(tag, record, 'latin1');
    directory.writeUInt32BE(checksum(padded), record + 4);
    directory.writeUInt32BE(offset, record + 8);
    directory.writeUInt32BE(data.length, record + 12);
    offset += padded.length;
    return padded;
  });
  return Buffer.concat([directory, ...bodies]);
}

function checksum(padded: Buffer): number {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

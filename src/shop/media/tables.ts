import { sql } from "drizzle-orm";
import { check, customType, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

const bytes = customType<{ data: Buffer; driverData: Buffer | Uint8Array }>({
  dataType: () => "bytea",
  // PGlite returns plain byte arrays.
  fromDriver: (value) => Buffer.from(value),
});

/** Uploaded pictures, re-encoded. Every process reads them from here and makes sizes in its own cache. */
export const mediaPictures = pgTable(
  "media_pictures",
  {
    id: text().primaryKey(),
    bytes: bytes().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When something began to use it; a picture that nothing used is deleted after a while. */
    usedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    index("media_pictures_unused")
      .on(t.createdAt)
      .where(sql`${t.usedAt} is null`),
    check("media_pictures_size", sql`${t.width} > 0 and ${t.height} > 0 and length(${t.bytes}) > 0`),
  ],
);

/** Uploaded films of coins, as they were uploaded. */
export const mediaFilms = pgTable(
  "media_films",
  {
    id: text().primaryKey(),
    /** `mp4` or `webm`. */
    type: text().notNull(),
    bytes: bytes().notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** As for pictures. */
    usedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    index("media_films_unused")
      .on(t.createdAt)
      .where(sql`${t.usedAt} is null`),
    check("media_films_type", sql`${t.type} in ('mp4','webm')`),
    check("media_films_size", sql`length(${t.bytes}) > 0`),
  ],
);

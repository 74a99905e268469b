CREATE TABLE "media_films" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "media_films_type" CHECK ("media_films"."type" in ('mp4','webm')),
	CONSTRAINT "media_films_size" CHECK (length("media_films"."bytes") > 0)
);
--> statement-breakpoint
ALTER TABLE "site_parts" DROP CONSTRAINT "site_parts_kind";--> statement-breakpoint
CREATE INDEX "media_films_unused" ON "media_films" USING btree ("created_at") WHERE "media_films"."used_at" is null;--> statement-breakpoint
ALTER TABLE "site_parts" ADD CONSTRAINT "site_parts_kind" CHECK ("site_parts"."kind" in ('home','banner','menu','questions','films','pages'));--> statement-breakpoint
-- Parts of a film are read from its middle: without compression they need not be unpacked whole.
alter table "media_films" alter column "bytes" set storage external;--> statement-breakpoint
-- The descriptions of plain pages were constants of the code before.
update content_entries e set lead = d.words from (values
  ('about', 'Кто мы, как проверяем монеты и почему рядом с каждой ценой показываем премию к металлу и цену выкупа.'),
  ('delivery', 'Как и за сколько дней привезём монеты: до пункта СДЭК бесплатно, курьером, самовывоз из офиса. Чем заплатить и какой придёт чек.'),
  ('how-to-buy', 'Пять шагов от выбора монеты до чека: как фиксируется цена, можно ли заказать без регистрации и что делать, если не получилось.'),
  ('return', 'Когда монету можно вернуть или обменять, сколько на это дней и как вернутся деньги.'),
  ('coin-buyback', 'Сегодняшние цены выкупа, как они считаются и как продать нам инвестиционную или памятную монету.'),
  ('partners', 'Условия для магазинов, ювелирных салонов и клубов: оптовые ступени, документы и заявка на партнёрство.'),
  ('certificates', 'Нужен ли монете сертификат, как мы проверяем подлинность и какие документы вы получите вместе с монетой.'),
  ('contacts', 'Телефоны, адрес офиса в Москве, часы работы, мессенджеры и реквизиты. Оставьте номер, и мы перезвоним.')
) as d (slug, words) where e.kind = 'page' and e.slug = d.slug and e.lead = '';

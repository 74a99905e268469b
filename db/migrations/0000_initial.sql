CREATE TABLE "alerts" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"customer_id" text,
	"coin_id" integer,
	"course" text,
	"rule" text NOT NULL,
	"value" bigint,
	"state" text NOT NULL,
	"times_told" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "alerts_subject" CHECK (("alerts"."coin_id" is null) <> ("alerts"."course" is null)),
	CONSTRAINT "alerts_rule" CHECK (("alerts"."rule" in ('below','above') and "alerts"."value" > 0) or ("alerts"."rule" = 'in_stock' and "alerts"."value" is null and "alerts"."coin_id" is not null)),
	CONSTRAINT "alerts_state" CHECK ("alerts"."state" in ('unconfirmed','armed','told'))
);
--> statement-breakpoint
CREATE TABLE "code_claims" (
	"phone" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"claimed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"device_hash" text NOT NULL,
	"customer_id" text NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "known_devices_device_hash_customer_id_pk" PRIMARY KEY("device_hash","customer_id")
);
--> statement-breakpoint
CREATE TABLE "phone_guards" (
	"phone" text PRIMARY KEY NOT NULL,
	"wrong_since_success" integer DEFAULT 0 NOT NULL,
	"barred_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_counters" (
	"key" text PRIMARY KEY NOT NULL,
	"window_ends" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "rate_counters_count" CHECK ("rate_counters"."count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"sid_hash" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"device_hash" text,
	"user_agent" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_codes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"phone" text NOT NULL,
	"code_hmac" text NOT NULL,
	"challenge_hash" text NOT NULL,
	"address" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"replaced_at" timestamp with time zone,
	CONSTRAINT "sign_in_codes_attempts" CHECK ("sign_in_codes"."attempts" between 0 and 5)
);
--> statement-breakpoint
CREATE TABLE "cart_lines" (
	"cart_id" bigint NOT NULL,
	"coin_id" integer NOT NULL,
	"quantity" integer NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "cart_lines_cart_id_coin_id_pk" PRIMARY KEY("cart_id","coin_id"),
	CONSTRAINT "cart_lines_quantity" CHECK ("cart_lines"."quantity" between 1 and 999)
);
--> statement-breakpoint
CREATE TABLE "carts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"touched_at" timestamp with time zone NOT NULL,
	CONSTRAINT "carts_owner_unique" UNIQUE("owner")
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"slug" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"heading" text NOT NULL,
	"intro" text NOT NULL,
	"parent" text,
	"position" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "coin_categories" (
	"coin_id" integer NOT NULL,
	"category_slug" text NOT NULL,
	CONSTRAINT "coin_categories_coin_id_category_slug_pk" PRIMARY KEY("coin_id","category_slug")
);
--> statement-breakpoint
CREATE TABLE "coins" (
	"id" integer PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"metal" text NOT NULL,
	"kind" text NOT NULL,
	"country" text NOT NULL,
	"issuer" text NOT NULL,
	"mint" text,
	"year" integer NOT NULL,
	"denomination_value" double precision,
	"denomination_currency" text,
	"series" text,
	"catalogue_number" text,
	"fineness_tenths" integer NOT NULL,
	"pure_mass_mg" integer NOT NULL,
	"total_mass_mg" integer NOT NULL,
	"diameter_mm" double precision,
	"thickness_mm" double precision,
	"shape" text,
	"length_mm" double precision,
	"width_mm" double precision,
	"mintage" integer,
	"quality" text NOT NULL,
	"edge" text,
	"artist" text,
	"description" text NOT NULL,
	"motif" text NOT NULL,
	"premium_bp" integer NOT NULL,
	"buyback_bp" integer,
	"fixed_price_kopecks" bigint,
	"fixed_buyback_kopecks" bigint,
	"vat_code" integer DEFAULT 1 NOT NULL,
	"purchase_limit" integer,
	"popularity" integer NOT NULL,
	"is_published" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "coins_slug_unique" UNIQUE("slug"),
	CONSTRAINT "coins_metal" CHECK ("coins"."metal" in ('gold','silver')),
	CONSTRAINT "coins_kind" CHECK ("coins"."kind" in ('bullion','memorable')),
	CONSTRAINT "coins_mass" CHECK ("coins"."pure_mass_mg" > 0 and "coins"."total_mass_mg" >= "coins"."pure_mass_mg" * 0.99),
	CONSTRAINT "coins_price" CHECK ("coins"."fixed_price_kopecks" > 0)
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"owner" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"order_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_owner_key_pk" PRIMARY KEY("owner","key"),
	CONSTRAINT "idempotency_keys_orderId_unique" UNIQUE("order_id")
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"cart_version" integer NOT NULL,
	"delivery_id" integer NOT NULL,
	"pickup_point_id" text,
	"city_code" text NOT NULL,
	"payment_method_id" integer NOT NULL,
	"lines" jsonb NOT NULL,
	"delivery_kopecks" bigint NOT NULL,
	"delivery" jsonb NOT NULL,
	"total_kopecks" bigint NOT NULL,
	"price_list_version" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_by_order_id" text,
	"replaced_at" timestamp with time zone,
	CONSTRAINT "quotes_usedByOrderId_unique" UNIQUE("used_by_order_id"),
	CONSTRAINT "quotes_money" CHECK ("quotes"."delivery_kopecks" >= 0 and "quotes"."total_kopecks" > 0)
);
--> statement-breakpoint
CREATE TABLE "content_entries" (
	"kind" text NOT NULL,
	"id" integer NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"lead" text NOT NULL,
	"body" text NOT NULL,
	"published_on" date,
	"position" integer NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"extra" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "content_entries_kind_id_pk" PRIMARY KEY("kind","id"),
	CONSTRAINT "content_kind" CHECK ("content_entries"."kind" in ('news','training','case','promo','faq','page'))
);
--> statement-breakpoint
CREATE TABLE "redirects" (
	"path" text PRIMARY KEY NOT NULL,
	"target" text NOT NULL,
	"is_external" boolean DEFAULT false NOT NULL,
	"is_permanent" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "redirects_path" CHECK ("redirects"."path" ~ '^(/[a-z0-9][a-z0-9._-]*){1,4}$')
);
--> statement-breakpoint
CREATE TABLE "site_pages" (
	"path" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"body" text NOT NULL,
	"parent_path" text,
	"edited_on" date,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_pages_path" CHECK ("site_pages"."path" ~ '^(/[a-z0-9][a-z0-9._-]*){1,4}$')
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"customer_id" text,
	"order_id" text,
	"about" text,
	"purpose" text NOT NULL,
	"text_version" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" text PRIMARY KEY NOT NULL,
	"phone" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"second_name" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"buy_profile" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "customers_phone_unique" UNIQUE("phone")
);
--> statement-breakpoint
CREATE TABLE "cities" (
	"code" text PRIMARY KEY NOT NULL,
	"carrier_code" integer NOT NULL,
	"name" text NOT NULL,
	"search_name" text NOT NULL,
	"region" text NOT NULL,
	"lat" double precision NOT NULL,
	"lon" double precision NOT NULL,
	"weight" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "cities_carrierCode_unique" UNIQUE("carrier_code")
);
--> statement-breakpoint
CREATE TABLE "delivery_prices" (
	"city_code" text NOT NULL,
	"kind" text NOT NULL,
	"parcel_class" text NOT NULL,
	"price_kopecks" bigint NOT NULL,
	"min_days" integer NOT NULL,
	"max_days" integer NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "delivery_prices_city_code_kind_parcel_class_pk" PRIMARY KEY("city_code","kind","parcel_class")
);
--> statement-breakpoint
CREATE TABLE "pickup_points" (
	"id" text PRIMARY KEY NOT NULL,
	"city_code" text NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"lat" double precision NOT NULL,
	"lon" double precision NOT NULL,
	"work_time" text NOT NULL,
	"phone" text NOT NULL,
	"note" text NOT NULL,
	"has_cash" boolean NOT NULL,
	"has_card" boolean NOT NULL,
	"nearest_metro" text NOT NULL,
	"weight_max_grams" integer
);
--> statement-breakpoint
CREATE TABLE "point_mirrors" (
	"city_code" text PRIMARY KEY NOT NULL,
	"mirrored_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shipments" (
	"order_id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"request" jsonb,
	"carrier_id" text,
	"tracking_number" text,
	"last_code" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "shipments_state" CHECK ("shipments"."state" in ('new','accepted','registered','in_transit','at_point','delivered','not_delivered','invalid'))
);
--> statement-breakpoint
CREATE TABLE "inquiries" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "inquiries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1001 CACHE 1),
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"details" jsonb NOT NULL,
	"is_suspect" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	CONSTRAINT "inquiries_kind" CHECK ("inquiries"."kind" in ('buyback','partners','callback')),
	CONSTRAINT "inquiries_state" CHECK ("inquiries"."state" in ('received','answered'))
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "reviews_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1001 CACHE 1),
	"state" text NOT NULL,
	"name" text NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"rating" integer NOT NULL,
	"coin_slug" text,
	"body" text NOT NULL,
	"written_on" date NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"is_suspect" boolean DEFAULT false NOT NULL,
	"decided_at" timestamp with time zone,
	CONSTRAINT "reviews_state" CHECK ("reviews"."state" in ('pending','approved','rejected')),
	CONSTRAINT "reviews_rating" CHECK ("reviews"."rating" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "list_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"list" text NOT NULL,
	"coin_id" integer NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "list_entries_list" CHECK ("list_entries"."list" in ('wishlist','compare'))
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"next_try_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "outbox_channel" CHECK ("outbox"."channel" in ('sms','email'))
);
--> statement-breakpoint
CREATE TABLE "order_history" (
	"order_id" text NOT NULL,
	"step" integer NOT NULL,
	"event" text NOT NULL,
	"state" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "order_history_order_id_step_pk" PRIMARY KEY("order_id","step")
);
--> statement-breakpoint
CREATE TABLE "order_lines" (
	"order_id" text NOT NULL,
	"coin_id" integer NOT NULL,
	"position" integer NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"quantity" integer NOT NULL,
	"price_kopecks" bigint NOT NULL,
	"vat_code" integer NOT NULL,
	CONSTRAINT "order_lines_order_id_coin_id_pk" PRIMARY KEY("order_id","coin_id"),
	CONSTRAINT "order_lines_positive" CHECK ("order_lines"."quantity" > 0 and "order_lines"."price_kopecks" > 0)
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "orders_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 10001 CACHE 1),
	"owner" text NOT NULL,
	"customer_id" text,
	"quote_id" text NOT NULL,
	"state" text NOT NULL,
	"delivery_id" integer NOT NULL,
	"pickup_point_id" text,
	"delivery_kopecks" bigint NOT NULL,
	"payment_method_id" integer NOT NULL,
	"total_kopecks" bigint NOT NULL,
	"paid_kopecks" bigint DEFAULT 0 NOT NULL,
	"refunded_kopecks" bigint DEFAULT 0 NOT NULL,
	"paid_at" timestamp with time zone,
	"user" jsonb NOT NULL,
	"address" jsonb,
	"delivery" jsonb NOT NULL,
	"price_list_version" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"reserved_until" timestamp with time zone,
	CONSTRAINT "orders_number_unique" UNIQUE("number"),
	CONSTRAINT "orders_quoteId_unique" UNIQUE("quote_id"),
	CONSTRAINT "orders_state" CHECK ("orders"."state" in ('placed','awaiting_payment','paid','assembled','shipped','ready','delivered','cancelled','returned')),
	CONSTRAINT "orders_money" CHECK ("orders"."total_kopecks" > 0 and "orders"."delivery_kopecks" >= 0 and "orders"."paid_kopecks" between 0 and "orders"."total_kopecks" and "orders"."refunded_kopecks" between 0 and "orders"."paid_kopecks")
);
--> statement-breakpoint
CREATE TABLE "payment_comparisons" (
	"day" date PRIMARY KEY NOT NULL,
	"compared_at" timestamp with time zone NOT NULL,
	"differences" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_differences" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"provider" text NOT NULL,
	"provider_id" text NOT NULL,
	"payment_id" text,
	"order_id" text,
	"ours" text NOT NULL,
	"theirs" text NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_differences_kind" CHECK ("payment_differences"."kind" in ('unknown_here','unknown_there','state','amount','refunded'))
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"event" text NOT NULL,
	"object_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"status" text NOT NULL,
	"body" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"verdict" text,
	CONSTRAINT "payment_events_verdict" CHECK ("payment_events"."verdict" in ('confirmed','denied'))
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"method" text NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	"refunded_kopecks" bigint DEFAULT 0 NOT NULL,
	"state" text NOT NULL,
	"is_kept" text DEFAULT 'undecided' NOT NULL,
	"idempotence_key" text NOT NULL,
	"ask" jsonb NOT NULL,
	"provider" text NOT NULL,
	"provider_id" text,
	"confirmation_url" text,
	"cancellation_reason" text,
	"created_at" timestamp with time zone NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"asked_at" timestamp with time zone,
	CONSTRAINT "payments_idempotenceKey_unique" UNIQUE("idempotence_key"),
	CONSTRAINT "payments_providerId_unique" UNIQUE("provider_id"),
	CONSTRAINT "payments_amount" CHECK ("payments"."amount_kopecks" > 0 and "payments"."refunded_kopecks" between 0 and "payments"."amount_kopecks"),
	CONSTRAINT "payments_method" CHECK ("payments"."method" in ('card','sbp','invoice','on_collection')),
	CONSTRAINT "payments_state" CHECK ("payments"."state" in ('new','pending','waiting_for_capture','succeeded','canceled')),
	CONSTRAINT "payments_kept" CHECK ("payments"."is_kept" in ('undecided','kept','returned'))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"order_id" text NOT NULL,
	"cause" text NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	"state" text NOT NULL,
	"idempotence_key" text NOT NULL,
	"provider_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"requested_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "refunds_idempotenceKey_unique" UNIQUE("idempotence_key"),
	CONSTRAINT "refunds_providerId_unique" UNIQUE("provider_id"),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount_kopecks" > 0),
	CONSTRAINT "refunds_state" CHECK ("refunds"."state" in ('new','pending','succeeded','canceled'))
);
--> statement-breakpoint
CREATE TABLE "price_lists" (
	"version" bigserial PRIMARY KEY NOT NULL,
	"gold_e_4" bigint NOT NULL,
	"silver_e_4" bigint NOT NULL,
	"rates_at" timestamp with time zone NOT NULL,
	"made_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "market_status" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"is_open" boolean NOT NULL,
	"heard_at" timestamp with time zone NOT NULL,
	CONSTRAINT "market_status_single" CHECK ("market_status"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "rate_candles" (
	"source" text NOT NULL,
	"code" text NOT NULL,
	"step" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"open_e_4" bigint NOT NULL,
	"high_e_4" bigint NOT NULL,
	"low_e_4" bigint NOT NULL,
	"close_e_4" bigint NOT NULL,
	"is_generated" boolean DEFAULT false NOT NULL,
	CONSTRAINT "rate_candles_source_code_step_at_pk" PRIMARY KEY("source","code","step","at"),
	CONSTRAINT "rate_candles_source" CHECK ("rate_candles"."source" in ('exchange','bank','derived')),
	CONSTRAINT "rate_candles_step" CHECK ("rate_candles"."step" in ('minute','hour','day')),
	CONSTRAINT "rate_candles_shape" CHECK ("rate_candles"."low_e_4" > 0 and "rate_candles"."low_e_4" <= least("rate_candles"."open_e_4", "rate_candles"."close_e_4") and "rate_candles"."high_e_4" >= greatest("rate_candles"."open_e_4", "rate_candles"."close_e_4"))
);
--> statement-breakpoint
CREATE TABLE "rates" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"source" text NOT NULL,
	"value_e_4" bigint NOT NULL,
	"previous_close_e_4" bigint,
	"observed_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"heard_at" timestamp with time zone NOT NULL,
	CONSTRAINT "rates_positive" CHECK ("rates"."value_e_4" > 0),
	CONSTRAINT "rates_source" CHECK ("rates"."source" in ('exchange','bank'))
);
--> statement-breakpoint
CREATE TABLE "search_synonyms" (
	"phrase" text PRIMARY KEY NOT NULL,
	"meaning" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stock_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"coin_id" integer NOT NULL,
	"kind" text NOT NULL,
	"quantity" integer NOT NULL,
	"order_id" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "stock_entries_kind" CHECK ("stock_entries"."kind" in ('opening','receipt','sold','returned','correction'))
);
--> statement-breakpoint
CREATE TABLE "stock_items" (
	"coin_id" integer PRIMARY KEY NOT NULL,
	"on_hand" integer NOT NULL,
	"reserved" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "stock_on_hand" CHECK ("stock_items"."on_hand" >= 0),
	CONSTRAINT "stock_reserved" CHECK ("stock_items"."reserved" >= 0 and "stock_items"."reserved" <= "stock_items"."on_hand")
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_cart_id_carts_id_fk" FOREIGN KEY ("cart_id") REFERENCES "public"."carts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coin_categories" ADD CONSTRAINT "coin_categories_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coin_categories" ADD CONSTRAINT "coin_categories_category_slug_categories_slug_fk" FOREIGN KEY ("category_slug") REFERENCES "public"."categories"("slug") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pickup_points" ADD CONSTRAINT "pickup_points_city_code_cities_code_fk" FOREIGN KEY ("city_code") REFERENCES "public"."cities"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "point_mirrors" ADD CONSTRAINT "point_mirrors_city_code_cities_code_fk" FOREIGN KEY ("city_code") REFERENCES "public"."cities"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_entries" ADD CONSTRAINT "list_entries_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_history" ADD CONSTRAINT "order_history_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "payment_events_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_entries" ADD CONSTRAINT "stock_entries_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_items" ADD CONSTRAINT "stock_items_coin_id_coins_id_fk" FOREIGN KEY ("coin_id") REFERENCES "public"."coins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_of_mailbox" ON "alerts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "alerts_of_customer" ON "alerts" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "alerts_by_state" ON "alerts" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "code_claims_by_time" ON "code_claims" USING btree ("claimed_at");--> statement-breakpoint
CREATE INDEX "rate_counters_by_end" ON "rate_counters" USING btree ("window_ends");--> statement-breakpoint
CREATE INDEX "sessions_by_customer" ON "sessions" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "sessions_by_use" ON "sessions" USING btree ("last_seen_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_in_codes_one_live" ON "sign_in_codes" USING btree ("phone") WHERE used_at is null and replaced_at is null;--> statement-breakpoint
CREATE INDEX "sign_in_codes_by_phone" ON "sign_in_codes" USING btree ("phone","created_at");--> statement-breakpoint
CREATE INDEX "carts_by_touch" ON "carts" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "coin_categories_by_category" ON "coin_categories" USING btree ("category_slug");--> statement-breakpoint
CREATE INDEX "coins_by_change" ON "coins" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_one_live" ON "quotes" USING btree ("owner") WHERE used_by_order_id is null and replaced_at is null;--> statement-breakpoint
CREATE INDEX "quotes_by_age" ON "quotes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "content_by_slug" ON "content_entries" USING btree ("kind","slug");--> statement-breakpoint
CREATE INDEX "consents_by_customer" ON "consents" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "cities_by_weight" ON "cities" USING btree ("weight" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "pickup_points_by_city" ON "pickup_points" USING btree ("city_code","type");--> statement-breakpoint
CREATE INDEX "shipments_due" ON "shipments" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "inquiries_by_state" ON "inquiries" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("state","written_on");--> statement-breakpoint
CREATE INDEX "reviews_of_coin" ON "reviews" USING btree ("coin_slug");--> statement-breakpoint
CREATE UNIQUE INDEX "list_entries_once" ON "list_entries" USING btree ("owner","list","coin_id");--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_once" ON "outbox" USING btree ("about","kind","channel");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("next_try_at");--> statement-breakpoint
CREATE INDEX "orders_by_owner" ON "orders" USING btree ("owner","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_due" ON "orders" USING btree ("reserved_until");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_differences_once" ON "payment_differences" USING btree ("provider","provider_id","kind","theirs");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_events_once" ON "payment_events" USING btree ("provider","event","object_id","status");--> statement-breakpoint
CREATE INDEX "payment_events_open" ON "payment_events" USING btree ("payment_id") WHERE verdict is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_attempt" ON "payments" USING btree ("order_id","attempt");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_kept" ON "payments" USING btree ("order_id") WHERE is_kept = 'kept';--> statement-breakpoint
CREATE INDEX "payments_due" ON "payments" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "payments_by_age" ON "payments" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_once" ON "refunds" USING btree ("payment_id","cause");--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "refunds_by_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "price_lists_by_time" ON "price_lists" USING btree ("made_at");--> statement-breakpoint
CREATE INDEX "rates_newest" ON "rates" USING btree ("source","code","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "rates_by_time" ON "rates" USING btree ("source","code","received_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "stock_entries_once" ON "stock_entries" USING btree ("order_id","coin_id","kind") WHERE "stock_entries"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "stock_entries_by_coin" ON "stock_entries" USING btree ("coin_id");
ALTER TABLE "alerts" DROP CONSTRAINT "alerts_rule";--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_rule" CHECK (("alerts"."rule" in ('below','above') and "alerts"."value" > 0) or ("alerts"."rule" = 'in_stock' and "alerts"."value" is null and "alerts"."coin_id" is not null)
    or ("alerts"."rule" = 'market_open' and "alerts"."value" is null and "alerts"."course" is not null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "alerts" VALIDATE CONSTRAINT "alerts_rule";

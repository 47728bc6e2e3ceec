<?php

/**
 * Plugin Name: Affiliate tracking (svc)
 * Description: Reports clicks, signups, orders and refunds of WooCommerce to https://track.example.com.
 * Version: 0.0.0
 * Requires PHP: 8.0
 * Requires Plugins: woocommerce
 *
 * Put this file and https://track.example.com/clients/Svc.php into wp-content/plugins/svc/, activate the plugin, and add to wp-config.php:
 *
 *     define('SVC_PROGRAM_ID', '42');
 *     define('SVC_API_KEY', 'svc_key_…');
 */

declare(strict_types=1);

require_once __DIR__ . '/Svc.php';

/** An event that could not be reported is reported again after five minutes, then after ten, and so on for a day. */
const SVC_RETRY_SECONDS = 300;
const SVC_MAX_RETRIES = 8;

function svc_client(): Svc
{
    return new Svc(defined('SVC_API_KEY') ? SVC_API_KEY : null);
}

/** The tracker, on every page. That of the program also reads the parameters of links from other tools. */
add_action('wp_head', function (): void {
    $src = 'https://track.example.com/js/svc-tracker-' . rawurlencode((string) SVC_PROGRAM_ID) . '.js';
    printf('<script async src="%s" data-svc-program-id="%s"></script>' . "\n", $src, esc_attr((string) SVC_PROGRAM_ID));
});

add_action('user_register', function (int $userId): void {
    $user = get_userdata($userId);
    svc_client()->lead(array_filter([
        'customer_key' => (string) $userId,
        'click_id' => Svc::clickId(),
        'email' => $user ? $user->user_email : null,
    ]));
});

/** The visitor is only here at the checkout; payments are confirmed by webhooks of the processor. */
add_action('woocommerce_checkout_create_order', function (WC_Order $order): void {
    if (Svc::clickId() !== null) {
        $order->update_meta_data('_svc_click_id', Svc::clickId());
    }
});

add_action('woocommerce_payment_complete', 'svc_report_sale', 10, 1);
add_action('woocommerce_order_status_completed', 'svc_report_sale', 10, 1);
add_action('svc_report_sale', 'svc_report_sale', 10, 2);

/** Reports an order, without tax and shipping. The service counts an order once, however often this runs. */
function svc_report_sale(int $orderId, int $retries = 0): void
{
    $order = wc_get_order($orderId);
    if (!$order instanceof WC_Order || $order->get_meta('_svc_reported')) {
        return;
    }
    $net = (float) $order->get_total() - (float) $order->get_total_tax() - (float) $order->get_shipping_total();
    $amount = svc_smallest_unit($net, $order->get_currency());
    if ($amount <= 0) {
        return;
    }
    $clickId = $order->get_meta('_svc_click_id');
    $isRenewal = function_exists('wcs_order_contains_renewal') && wcs_order_contains_renewal($order);
    $result = svc_client()->sale(array_filter([
        'transaction_id' => "woo_$orderId",
        // Guests have no id of their own.
        'customer_key' => $order->get_customer_id() > 0 ? (string) $order->get_customer_id() : "guest_order_$orderId",
        'click_id' => $clickId !== '' ? $clickId : null,
        'amount_cents' => $amount,
        'currency' => $order->get_currency(),
        'is_recurring' => $isRenewal ?: null,
    ], fn ($value) => $value !== null));
    if ($result->ok) {
        $order->update_meta_data('_svc_reported', '1');
        $order->save();
    } elseif ($result->error->isRetryable) {
        svc_retry('svc_report_sale', [$orderId], $retries);
    } else {
        error_log("svc: order $orderId was not reported: " . $result->error->getMessage());
    }
}

add_action('woocommerce_order_refunded', 'svc_report_refund', 10, 2);
add_action('svc_report_refund', 'svc_report_refund', 10, 3);

function svc_report_refund(int $orderId, int $refundId, int $retries = 0): void
{
    $refund = wc_get_order($refundId);
    if (!$refund instanceof WC_Order_Refund) {
        return;
    }
    $net = abs((float) $refund->get_total()) - abs((float) $refund->get_total_tax()) - abs((float) $refund->get_shipping_total());
    $amount = svc_smallest_unit($net, $refund->get_currency());
    if ($amount <= 0) {
        return;
    }
    $result = svc_client()->refund([
        'transaction_id' => "woo_$orderId",
        'refund_id' => "woo_$refundId",
        'refund_amount_cents' => $amount,
    ]);
    if (!$result->ok && $result->error->isRetryable) {
        svc_retry('svc_report_refund', [$orderId, $refundId], $retries);
    } elseif (!$result->ok) {
        error_log("svc: refund $refundId was not reported: " . $result->error->getMessage());
    }
}

function svc_retry(string $action, array $ids, int $retries): void
{
    if ($retries < SVC_MAX_RETRIES) {
        wp_schedule_single_event(time() + SVC_RETRY_SECONDS * 2 ** $retries, $action, [...$ids, $retries + 1]);
    }
}

/** 49.9 dollars are 4990 cents, 500 yen are 500. */
function svc_smallest_unit(float $amount, string $currency): int
{
    $withoutParts = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'];
    $thousands = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
    $digits = in_array($currency, $withoutParts, true) ? 0 : (in_array($currency, $thousands, true) ? 3 : 2);
    return (int) round($amount * 10 ** $digits);
}

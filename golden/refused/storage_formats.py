"""Sparse and quantised tensors, files, processes."""

import torch
import torch.distributed as dist


def sparse(index, values):
    a = torch.sparse_coo_tensor(index, values, (3, 3)).coalesce()
    b = torch.sparse_csr_tensor(index, index, values)
    return a, b, torch.sparse_csc_tensor(index, index, values), torch.sparse_bsr_tensor(index, index, values)


def more_sparse(index, values, x: torch.Tensor):
    y = torch.sparse_bsc_tensor(index, index, values), torch.sparse_compressed_tensor(index, index, values)
    return y, torch.smm(x, x), torch.sspaddmm(x, x, x), torch.hspmm(x, x)


def parts(x: torch.Tensor):
    y = x * 2
    return y.coalesce(), y.to_sparse(), y.to_sparse_csr(), y.to_sparse_csc(), y.indices(), y.values(), y.sparse_mask(x)


def quantised(x):
    q = torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)
    p = torch.quantize_per_channel(x, x[0], x[0], 0, torch.qint8)
    return torch.dequantize(q), p


def narrow(x):
    return x.to(torch.complex32), x.to(torch.chalf)


def files(path, x):
    torch.save(x, path)
    return torch.load(path), torch.from_file(path), torch.frombuffer(bytearray(4), dtype=torch.float32)


def gathered(x, parts):
    dist.init_process_group("gloo")
    dist.all_reduce(x)
    dist.all_gather(parts, x)
    dist.reduce_scatter(x, parts)
    dist.broadcast(x, 0)
    dist.barrier()
    rank = dist.get_rank()
    dist.destroy_process_group()
    return x * dist.get_world_size(), rank


def small(x: torch.Tensor):
    return x.to(torch.chalf)


def signed(x: torch.Tensor):
    return x.to(torch.qint8)


def unsigned(x: torch.Tensor):
    return x.to(torch.quint8)

"""What shows how a tensor lies in memory, or on which device."""

import torch


def strides(x):
    return x.stride(), x.stride(0), x.storage_offset()


def overlapping(x):
    y = torch.as_strided(x, (3, 2), (1, 1))
    return y, x.as_strided((2,), (1,)), torch.as_strided_scatter(x, x[:2], (2,), (1,)), torch.empty_strided((2, 3), (1, 2))


def resized(x):
    y = x.clone()
    y.resize_(4)
    y.resize_as_(x)
    y.set_(x)
    return y


def storage(x):
    return x.data_ptr(), x.storage(), x.untyped_storage(), x.share_memory_()


def legacy(x):
    return x.new(3), x.type()


def by_element(x):
    y = x.clone()
    y.apply_(lambda v: v + 1)
    y.map_(x, lambda a, b: a + b)
    return y


def on_the_gpu(x):
    stream = torch.cuda.current_stream()
    start, other = torch.cuda.Event(enable_timing=True), torch.cuda.Stream()
    with torch.cuda.stream(other):
        y = x * 2
    with torch.cuda.device(torch.cuda.current_device()):
        y = y + 1
    return y, stream, start


def asked(x):
    names = torch.cuda.get_device_name(), torch.cuda.get_device_properties(0), torch.cuda.get_device_capability()
    return names, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.mem_get_info(), torch.get_num_threads()


def configured(x):
    torch.set_default_dtype(torch.float64)
    torch.set_default_tensor_type("torch.DoubleTensor")
    torch.set_float32_matmul_precision("high")
    return torch.zeros(3) + x


def uninitialised():
    floats = torch.Tensor(3), torch.FloatTensor(3), torch.DoubleTensor(3), torch.HalfTensor(3), torch.BFloat16Tensor(3)
    whole = torch.LongTensor(3), torch.IntTensor(3), torch.ShortTensor(3), torch.CharTensor(3), torch.ByteTensor(3)
    return floats, whole, torch.BoolTensor(3)
